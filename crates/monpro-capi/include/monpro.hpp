/* monpro for C++17 and later: the functions of monpro.h with handles that free themselves and exceptions for statuses.
   MIT or Apache-2.0.

   Numbers are big-endian bytes. Whatever a function takes as a bytes_view may be a vector, an array, a string, a
   string_view, a span, or a pointer with a length. Results are vectors; what is always secret is a secret_bytes, which
   erases itself. Handles can be moved and not copied; one that was moved from throws when it is used. Threads may share
   all handles, but a random_source serves one thread at a time; only that of a raw_column serves several.

   A status other than MONPRO_STATUS_OK is thrown as monpro::error; a signature that is not good is false. monpro.h says
   of each function what it computes, within which bounds, and with which statuses. */

#ifndef MONPRO_HPP
#define MONPRO_HPP

#if (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 201703L
#error "monpro.hpp needs C++17: compile with -std=c++17 or later"
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <monpro.h>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace monpro {

/// A number or a message as bytes.
using bytes = std::vector<std::uint8_t>;

/// What a call has refused; what() is a line that says why and how to mend it.
class error : public std::runtime_error {
  public:
    explicit error(monpro_status status) : std::runtime_error(monpro_status_message(status)), status_(status) {}

    [[nodiscard]] monpro_status status() const noexcept { return status_; }

  private:
    monpro_status status_;
};

/// The version of the library, as "1.2.3".
[[nodiscard]] inline std::string_view version() noexcept { return monpro_version(); }

namespace detail {

inline void check(monpro_status status) {
    if (status != MONPRO_STATUS_OK)
        throw error(status);
}

template <class T>
inline constexpr bool is_byte =
    std::is_same_v<T, std::uint8_t> || std::is_same_v<T, char> || std::is_same_v<T, std::byte>;

template <class Container>
using item = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<const Container &>()))>>;

template <class Container, class = void>
inline constexpr bool is_of_bytes = false;
template <class Container>
inline constexpr bool is_of_bytes<
    Container, std::void_t<item<Container>, decltype(std::size(std::declval<const Container &>()))>> =
    is_byte<item<Container>>;

template <class T, void (*Free)(T *)>
struct freeing {
    void operator()(T *handle) const noexcept { Free(handle); }
};

/// A handle that is freed where its owner ends.
template <class T, void (*Free)(T *)>
using handle = std::unique_ptr<T, freeing<T, Free>>;

/// The handle that `make` writes.
template <class Handle, class Make>
Handle made(Make make) {
    typename Handle::pointer place = nullptr;
    const monpro_status status = make(&place);
    Handle handle(place);
    check(status);
    return handle;
}

/// The result of a known length that `write` writes.
template <class Write>
bytes written(std::size_t length, Write write) {
    bytes result(length);
    check(write(result.data(), length));
    return result;
}

} // namespace detail

/// Bytes that belong to somebody else, who keeps them while they are viewed.
class bytes_view {
  public:
    constexpr bytes_view() noexcept = default;
    constexpr bytes_view(const std::uint8_t *data, std::size_t size) noexcept : data_(data), size_(size) {}

    /// The characters of a string, without the 0 at its end.
    bytes_view(const char *text) noexcept
        : data_(reinterpret_cast<const std::uint8_t *>(text)), size_(std::strlen(text)) {}

    /// The items of a container that keeps them side by side.
    template <class Container,
              std::enable_if_t<detail::is_of_bytes<Container> && !std::is_convertible_v<const Container &, const char *>,
                               int> = 0>
    bytes_view(const Container &container) noexcept
        : data_(reinterpret_cast<const std::uint8_t *>(std::data(container))), size_(std::size(container)) {}

    [[nodiscard]] constexpr const std::uint8_t *data() const noexcept { return data_; }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }

  private:
    const std::uint8_t *data_ = nullptr;
    std::size_t size_ = 0;
};

/// The big-endian bytes of a number, without leading zeros.
[[nodiscard]] inline bytes number(std::uint64_t value) {
    bytes result;
    for (int shift = 56; shift >= 0; shift -= 8)
        if (const auto byte = static_cast<std::uint8_t>(value >> shift); byte != 0 || !result.empty())
            result.push_back(byte);
    return result;
}

/// Secret bytes, which are erased where their owner ends.
class secret_bytes {
  public:
    secret_bytes() noexcept = default;
    explicit secret_bytes(std::size_t size) : owned_(size == 0 ? nullptr : new std::uint8_t[size]()), size_(size) {}
    secret_bytes(secret_bytes &&other) noexcept
        : owned_(std::move(other.owned_)), size_(std::exchange(other.size_, 0)) {}
    secret_bytes &operator=(secret_bytes &&other) noexcept {
        if (this != &other) {
            erase(0);
            owned_ = std::move(other.owned_);
            size_ = std::exchange(other.size_, 0);
        }
        return *this;
    }
    secret_bytes(const secret_bytes &) = delete;
    secret_bytes &operator=(const secret_bytes &) = delete;
    ~secret_bytes() { erase(0); }

    [[nodiscard]] const std::uint8_t *data() const noexcept { return owned_.get(); }
    [[nodiscard]] std::uint8_t *data() noexcept { return owned_.get(); }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] const std::uint8_t *begin() const noexcept { return data(); }
    [[nodiscard]] const std::uint8_t *end() const noexcept { return data() + size_; }
    /// The bytes as characters, while they live.
    [[nodiscard]] std::string_view text() const noexcept {
        return {reinterpret_cast<const char *>(data()), size_};
    }
    /// Keeps the first bytes, and erases the others.
    void shorten(std::size_t size) noexcept {
        if (size < size_) {
            erase(size);
            size_ = size;
        }
    }

  private:
    /// Writes that the compiler may not leave out.
    void erase(std::size_t from) noexcept {
        volatile std::uint8_t *at = owned_.get();
        for (std::size_t i = from; i < size_; i++)
            at[i] = 0;
    }

    std::unique_ptr<std::uint8_t[]> owned_;
    std::size_t size_ = 0;
};

namespace detail {

/// The secret that `write` writes, up to the length that it tells.
template <class Write>
secret_bytes secret_up_to(std::size_t capacity, Write write) {
    secret_bytes result(capacity);
    std::size_t length = 0;
    check(write(result.data(), capacity, &length));
    result.shorten(length);
    return result;
}

/// The document that `write` writes: it is asked for its length first.
template <class Character, class Write>
std::size_t length_of(Write write) {
    std::size_t length = 0;
    const monpro_status status = write(static_cast<Character *>(nullptr), std::size_t{0}, &length);
    if (status != MONPRO_STATUS_SPACE_TOO_SHORT)
        check(status);
    return length;
}

} // namespace detail

/// Where random bytes come from: the system, or a function (std::uint8_t *bytes, std::size_t length) that fills them
/// with bytes that are fit for cryptography. The function must outlive the source; what it throws, the call throws.
class random_source {
  public:
    random_source() noexcept = default;

    template <class Fill, std::enable_if_t<std::is_invocable_v<Fill &, std::uint8_t *, std::size_t>, int> = 0>
    random_source(Fill &fill) noexcept : fill_(&fill_by<Fill>), function_(std::addressof(fill)) {}

    /// Calls `use` with the source as monpro.h takes it, and throws what the function has thrown.
    template <class Use>
    void with(Use use) const {
        if (fill_ == nullptr)
            return detail::check(use(nullptr));
        running call(fill_, function_);
        const monpro_random random{&fill_bytes, &call};
        const monpro_status status = use(&random);
        if (call.thrown)
            std::rethrow_exception(call.thrown);
        detail::check(status);
    }

  private:
    using fill_function = void (*)(void *, std::uint8_t *, std::size_t);

    struct running {
        running(fill_function fill_of_call, void *function_of_call) : fill(fill_of_call), function(function_of_call) {}

        fill_function fill;
        void *function;
        /// The threads of a column share the source.
        std::mutex writing;
        std::exception_ptr thrown;
    };

    template <class Fill>
    static void fill_by(void *function, std::uint8_t *to, std::size_t length) {
        (*static_cast<Fill *>(function))(to, length);
    }

    /// No exception may pass through the library.
    static int fill_bytes(void *context, std::uint8_t *to, std::size_t length) noexcept {
        auto &call = *static_cast<running *>(context);
        try {
            call.fill(call.function, to, length);
            return 0;
        } catch (...) {
            const std::lock_guard<std::mutex> lock(call.writing);
            call.thrown = std::current_exception();
            return -1;
        }
    }

    fill_function fill_ = nullptr;
    void *function_ = nullptr;
};

/// A switch that stops the calls of the threads that watch it. They throw an error with MONPRO_STATUS_CANCELLED.
class cancellation {
  public:
    cancellation() : handle_(detail::made<handle>(monpro_cancellation_new)) {}

    /// Stops the calls; for any thread, and for signal handlers.
    void cancel() const noexcept { monpro_cancellation_cancel(handle_.get()); }

    /// While it lives, the calls of its thread can be stopped. Only one lives in a thread at a time.
    class watch {
      public:
        explicit watch(const cancellation &watched) noexcept { monpro_cancellation_watch(watched.handle_.get()); }
        ~watch() { monpro_cancellation_watch(nullptr); }
        watch(const watch &) = delete;
        watch &operator=(const watch &) = delete;
    };

  private:
    using handle = detail::handle<monpro_cancellation, monpro_cancellation_free>;
    handle handle_;
};

/// While it lives, the long calls of its thread tell the function how far they are: as tell(done, total), where total is
/// 0 if nobody knows it. monpro_progress_watch says which calls. The function must not throw. Only one lives in a thread
/// at a time.
class progress {
  public:
    explicit progress(std::function<void(std::size_t, std::size_t)> tell) : tell_(std::move(tell)) {
        const monpro_progress watching{&told, this};
        monpro_progress_watch(&watching);
    }
    ~progress() { monpro_progress_watch(nullptr); }
    progress(const progress &) = delete;
    progress &operator=(const progress &) = delete;

  private:
    static void told(void *context, std::size_t done, std::size_t total) noexcept {
        static_cast<progress *>(context)->tell_(done, total);
    }

    std::function<void(std::size_t, std::size_t)> tell_;
};

/// base^exponent in a product of powers.
struct term {
    bytes_view base, exponent;
};

/// base^exponent mod modulus in a batch.
struct power {
    bytes_view base, exponent, modulus;
};

/// A private operation of RSA in a batch: base^d_p modulo p and base^d_q modulo q.
struct crt_power {
    bytes_view base, p, q, d_p, d_q, q_inverse;
};

/// base^exponent mod modulus for any modulus; modulo 0 it is 0. As long as the modulus.
[[nodiscard]] inline bytes modexp(bytes_view base, bytes_view exponent, bytes_view modulus) {
    return detail::written(modulus.size(), [&](std::uint8_t *result, std::size_t) {
        return monpro_modexp(base.data(), base.size(), exponent.data(), exponent.size(), modulus.data(),
                             modulus.size(), result);
    });
}

/// modexp for public numbers.
[[nodiscard]] inline bytes modexp_vartime(bytes_view base, bytes_view exponent, bytes_view modulus) {
    return detail::written(modulus.size(), [&](std::uint8_t *result, std::size_t) {
        return monpro_modexp_vartime(base.data(), base.size(), exponent.data(), exponent.size(), modulus.data(),
                                     modulus.size(), result);
    });
}

/// The powers, several at a time where the CPU has wide vectors.
[[nodiscard]] inline std::vector<bytes> pow_batch(const std::vector<power> &powers) {
    std::vector<bytes> results;
    std::vector<monpro_pow_task> tasks;
    results.reserve(powers.size());
    tasks.reserve(powers.size());
    for (const auto &[base, exponent, modulus] : powers) {
        results.emplace_back(modulus.size());
        tasks.push_back({base.data(), base.size(), exponent.data(), exponent.size(), modulus.data(), modulus.size(),
                         results.back().data()});
    }
    detail::check(monpro_pow_batch(tasks.data(), tasks.size()));
    return results;
}

/// An operation on each of so many rows of columns, on every core; the statuses of the rows.
[[nodiscard]] inline bytes columns_compute(monpro_columns_operation operation, const std::vector<monpro_column> &operands,
                                           std::size_t rows, const monpro_column &results, std::size_t threads = 0,
                                           const monpro_random *random = nullptr) {
    bytes statuses(rows);
    detail::check(monpro_columns_compute(operation, operands.data(), operands.size(), rows, random, &results,
                                         statuses.data(), threads));
    return statuses;
}

/// The private operations of RSA, several at a time; each result is as long as p and q together.
[[nodiscard]] inline std::vector<bytes> pow_crt_batch(const std::vector<crt_power> &powers) {
    std::vector<bytes> results;
    std::vector<monpro_crt_task> tasks;
    results.reserve(powers.size());
    tasks.reserve(powers.size());
    for (const auto &[base, p, q, d_p, d_q, q_inverse] : powers) {
        results.emplace_back(p.size() + q.size());
        tasks.push_back({base.data(), base.size(), p.data(), p.size(), q.data(), q.size(), d_p.data(), d_p.size(),
                         d_q.data(), d_q.size(), q_inverse.data(), q_inverse.size(), results.back().data()});
    }
    detail::check(monpro_pow_crt_batch(tasks.data(), tasks.size()));
    return results;
}

/// An odd modulus with its constants. Results have size() bytes.
class modulus {
  public:
    /// The fastest kernel, or the one of this name.
    explicit modulus(bytes_view n, const char *kernel = nullptr)
        : handle_(detail::made<handle>([&](monpro_modulus **place) {
              return monpro_modulus_new(n.data(), n.size(), kernel, place);
          })) {}

    [[nodiscard]] std::size_t size() const noexcept { return monpro_modulus_bytes(get()); }
    [[nodiscard]] std::string_view kernel() const noexcept {
        const char *name = monpro_modulus_kernel(get());
        return name == nullptr ? std::string_view() : name;
    }
    [[nodiscard]] const monpro_modulus *get() const noexcept { return handle_.get(); }

    /// x·y mod n.
    [[nodiscard]] bytes mul(bytes_view x, bytes_view y) const { return apply(monpro_mul, x, y); }
    /// base^exponent mod n.
    [[nodiscard]] bytes pow(bytes_view base, bytes_view exponent) const { return apply(monpro_pow, base, exponent); }
    [[nodiscard]] bytes pow_vartime(bytes_view base, bytes_view exponent) const {
        return apply(monpro_pow_vartime, base, exponent);
    }
    /// The product of the powers mod n.
    [[nodiscard]] bytes multi_pow(const std::vector<term> &terms) const { return apply(monpro_multi_pow, terms); }
    [[nodiscard]] bytes multi_pow_vartime(const std::vector<term> &terms) const {
        return apply(monpro_multi_pow_vartime, terms);
    }

  private:
    using handle = detail::handle<monpro_modulus, monpro_modulus_free>;

    template <class Function>
    bytes apply(Function function, bytes_view x, bytes_view y) const {
        return detail::written(size(), [&](std::uint8_t *result, std::size_t length) {
            return function(get(), x.data(), x.size(), y.data(), y.size(), result, length);
        });
    }
    template <class Function>
    bytes apply(Function function, const std::vector<term> &terms) const {
        std::vector<monpro_term> list;
        list.reserve(terms.size());
        for (const auto &[base, exponent] : terms)
            list.push_back({base.data(), base.size(), exponent.data(), exponent.size()});
        return detail::written(size(), [&](std::uint8_t *result, std::size_t length) {
            return function(get(), list.data(), list.size(), result, length);
        });
    }

    handle handle_;
};

/// A base with a table of its powers, for exponents of at most exponent_bits bits.
class fixed_base {
  public:
    fixed_base(const modulus &n, bytes_view base, std::size_t exponent_bits)
        : handle_(detail::made<handle>([&](monpro_fixed_base **place) {
              return monpro_fixed_base_new(n.get(), base.data(), base.size(), exponent_bits, place);
          })),
          size_(n.size()) {}

    /// base^exponent mod n.
    [[nodiscard]] bytes pow(bytes_view exponent) const {
        return detail::written(size_, [&](std::uint8_t *result, std::size_t length) {
            return monpro_fixed_base_pow(handle_.get(), exponent.data(), exponent.size(), result, length);
        });
    }

  private:
    using handle = detail::handle<monpro_fixed_base, monpro_fixed_base_free>;
    handle handle_;
    std::size_t size_;
};

/// The field GF(2^k). Elements have size() bytes, the highest coefficients first.
class field {
  public:
    /// The field of an irreducible polynomial in bytes.
    explicit field(bytes_view polynomial, const char *kernel = nullptr)
        : handle_(detail::made<handle>([&](monpro_field **place) {
              return monpro_field_new(polynomial.data(), polynomial.size(), kernel, place);
          })) {}
    /// The field of the polynomial with these exponents: {571, 10, 5, 2, 0}.
    [[nodiscard]] static field from_exponents(const std::vector<std::size_t> &exponents) {
        return field(detail::made<handle>([&](monpro_field **place) {
            return monpro_field_from_exponents(exponents.data(), exponents.size(), place);
        }));
    }

    [[nodiscard]] std::size_t degree() const noexcept { return monpro_field_degree(get()); }
    [[nodiscard]] std::size_t size() const noexcept { return monpro_field_bytes(get()); }
    [[nodiscard]] std::string_view kernel() const noexcept {
        const char *name = monpro_field_kernel(get());
        return name == nullptr ? std::string_view() : name;
    }
    [[nodiscard]] const monpro_field *get() const noexcept { return handle_.get(); }

    [[nodiscard]] bytes add(bytes_view x, bytes_view y) const { return of_two(monpro_field_add, x, y); }
    [[nodiscard]] bytes mul(bytes_view x, bytes_view y) const { return of_two(monpro_field_mul, x, y); }
    [[nodiscard]] bytes square(bytes_view x) const { return of_one(monpro_field_square, x); }
    [[nodiscard]] bytes inverse(bytes_view x) const { return of_one(monpro_field_inverse, x); }
    [[nodiscard]] bytes sqrt(bytes_view x) const { return of_one(monpro_field_sqrt, x); }
    [[nodiscard]] bytes half_trace(bytes_view x) const { return of_one(monpro_field_half_trace, x); }
    /// x^(2^n).
    [[nodiscard]] bytes frobenius(bytes_view x, std::size_t n) const {
        return written(x, [&](std::uint8_t *result, std::size_t length) {
            return monpro_field_frobenius(get(), x.data(), n, result, length);
        });
    }
    [[nodiscard]] bytes pow(bytes_view x, bytes_view exponent) const { return power(monpro_field_pow, x, exponent); }
    [[nodiscard]] bytes pow_vartime(bytes_view x, bytes_view exponent) const {
        return power(monpro_field_pow_vartime, x, exponent);
    }
    [[nodiscard]] bool trace(bytes_view x) const {
        int trace = 0;
        detail::check(monpro_field_trace(get(), x.data(), x.size(), &trace));
        return trace != 0;
    }
    /// The sum of the products of equally many elements that lie one after the other.
    [[nodiscard]] bytes dot(bytes_view x, bytes_view y) const {
        const std::size_t count = elements_of(x);
        if (x.size() != y.size())
            throw error(MONPRO_STATUS_WRONG_LENGTH);
        return detail::written(size(), [&](std::uint8_t *result, std::size_t length) {
            return monpro_field_dot(get(), x.data(), y.data(), count, result, length);
        });
    }
    /// The inverses of elements that lie one after the other.
    [[nodiscard]] bytes batch_inverse(bytes_view x) const {
        const std::size_t count = elements_of(x);
        return detail::written(x.size(), [&](std::uint8_t *result, std::size_t) {
            return monpro_field_batch_inverse(get(), x.data(), count, result, size());
        });
    }

  private:
    using handle = detail::handle<monpro_field, monpro_field_free>;
    explicit field(handle made) noexcept : handle_(std::move(made)) {}

    /// monpro.h has one length for operands and result.
    template <class Write>
    bytes written(bytes_view x, Write write) const {
        if (x.size() != size())
            throw error(MONPRO_STATUS_WRONG_LENGTH);
        return detail::written(size(), write);
    }
    template <class Function>
    bytes of_one(Function function, bytes_view x) const {
        return written(x, [&](std::uint8_t *result, std::size_t length) {
            return function(get(), x.data(), result, length);
        });
    }
    template <class Function>
    bytes of_two(Function function, bytes_view x, bytes_view y) const {
        if (x.size() != y.size())
            throw error(MONPRO_STATUS_WRONG_LENGTH);
        return written(x, [&](std::uint8_t *result, std::size_t length) {
            return function(get(), x.data(), y.data(), result, length);
        });
    }
    template <class Function>
    bytes power(Function function, bytes_view x, bytes_view exponent) const {
        return written(x, [&](std::uint8_t *result, std::size_t length) {
            return function(get(), x.data(), exponent.data(), exponent.size(), result, length);
        });
    }
    std::size_t elements_of(bytes_view x) const {
        const std::size_t length = size();
        if (length == 0 || x.size() % length != 0)
            throw error(length == 0 ? MONPRO_STATUS_NULL_POINTER : MONPRO_STATUS_WRONG_LENGTH);
        return x.size() / length;
    }

    handle handle_;
};

/// A group for key exchange.
class group {
  public:
    /// The group of this name, such as "ffdhe2048".
    [[nodiscard]] static group named(const char *name) {
        return group(detail::made<handle>([&](monpro_group **place) { return monpro_group_named(name, place); }));
    }
    /// The powers of g modulo the prime p; order is that of g, if it is known.
    [[nodiscard]] static group integers(bytes_view p, bytes_view g, bytes_view order = {}) {
        return group(detail::made<handle>([&](monpro_group **place) {
            return monpro_group_integers(p.data(), p.size(), g.data(), g.size(), order.data(), order.size(), place);
        }));
    }
    /// The powers of an element of GF(2^k), where logarithms are easy to find.
    [[nodiscard]] static group binary_field(const field &f, bytes_view g, bytes_view order = {}) {
        return group(detail::made<handle>([&](monpro_group **place) {
            return monpro_group_binary_field(f.get(), g.data(), g.size(), order.data(), order.size(), place);
        }));
    }
    /// The names that named() knows.
    [[nodiscard]] static std::vector<std::string_view> names() {
        std::vector<std::string_view> names;
        while (const char *name = monpro_group_name(names.size()))
            names.emplace_back(name);
        return names;
    }

    [[nodiscard]] std::size_t size() const noexcept { return monpro_group_bytes(get()); }
    [[nodiscard]] std::size_t private_size() const noexcept { return monpro_group_private_bytes(get()); }
    [[nodiscard]] const monpro_group *get() const noexcept { return handle_.get(); }

  private:
    using handle = detail::handle<monpro_group, monpro_group_free>;
    explicit group(handle made) noexcept : handle_(std::move(made)) {}
    handle handle_;
};

/// A private key of a group, with its public value.
class dh_key {
  public:
    /// A key of random bytes.
    [[nodiscard]] static dh_key generate(const group &g, const random_source &random = {}) {
        monpro_dh_key *place = nullptr;
        random.with([&](const monpro_random *source) { return monpro_dh_key_generate(g.get(), source, &place); });
        return dh_key(handle(place));
    }
    /// The key with this exponent.
    dh_key(const group &g, bytes_view exponent)
        : handle_(detail::made<handle>([&](monpro_dh_key **place) {
              return monpro_dh_key_new(g.get(), exponent.data(), exponent.size(), place);
          })) {}

    [[nodiscard]] std::size_t size() const noexcept { return monpro_dh_key_bytes(handle_.get()); }
    /// What is sent to the peer.
    [[nodiscard]] bytes public_value() const {
        return detail::written(size(), [&](std::uint8_t *result, std::size_t length) {
            return monpro_dh_public_value(handle_.get(), result, length);
        });
    }
    /// The secret that both sides share; derive keys from it.
    [[nodiscard]] secret_bytes agree(bytes_view peer) const {
        secret_bytes secret(size());
        detail::check(monpro_dh_agree(handle_.get(), peer.data(), peer.size(), secret.data(), secret.size()));
        return secret;
    }

  private:
    using handle = detail::handle<monpro_dh_key, monpro_dh_key_free>;
    explicit dh_key(handle made) noexcept : handle_(std::move(made)) {}
    handle handle_;
};

/// The parameters of RSASSA-PSS.
struct pss {
    const char *hash = "sha256";
    const char *mgf1_hash = nullptr; ///< That of the message, unless it is named.
    std::size_t salt_length = MONPRO_SALT_AS_HASH;
};

/// The parameters of RSAES-OAEP.
struct oaep {
    const char *hash = "sha256";
    const char *mgf1_hash = nullptr; ///< That of the label, unless it is named.
    bytes_view label = {};
};

/// The names of the hash functions.
[[nodiscard]] inline std::vector<std::string_view> hash_names() {
    std::vector<std::string_view> names;
    while (const char *name = monpro_hash_name(names.size()))
        names.emplace_back(name);
    return names;
}

/// The public half of an RSA key.
class rsa_public_key {
  public:
    /// The key of a modulus and a public exponent.
    rsa_public_key(bytes_view n, bytes_view e)
        : handle_(detail::made<handle>([&](monpro_rsa_public **place) {
              return monpro_rsa_public_new(n.data(), n.size(), e.data(), e.size(), place);
          })) {}
    [[nodiscard]] static rsa_public_key from_pem(std::string_view pem) {
        return rsa_public_key(detail::made<handle>([&](monpro_rsa_public **place) {
            return monpro_rsa_public_from_pem(pem.data(), pem.size(), place);
        }));
    }
    [[nodiscard]] static rsa_public_key from_der(bytes_view der) {
        return rsa_public_key(detail::made<handle>([&](monpro_rsa_public **place) {
            return monpro_rsa_public_from_der(der.data(), der.size(), place);
        }));
    }
    /// A key in PEM or DER, a certificate, or the public half of a private key.
    [[nodiscard]] static rsa_public_key load(bytes_view document, bytes_view passphrase = {}) {
        return rsa_public_key(detail::made<handle>([&](monpro_rsa_public **place) {
            return monpro_rsa_public_load(document.data(), document.size(), passphrase.data(), passphrase.size(), place);
        }));
    }

    [[nodiscard]] std::size_t bits() const noexcept { return monpro_rsa_public_bits(get()); }
    [[nodiscard]] std::size_t size() const noexcept { return monpro_rsa_public_bytes(get()); }
    [[nodiscard]] const monpro_rsa_public *get() const noexcept { return handle_.get(); }
    [[nodiscard]] bytes n() const {
        return detail::written(size(), [&](std::uint8_t *result, std::size_t length) {
            return monpro_rsa_public_modulus(get(), result, length);
        });
    }
    [[nodiscard]] bytes e() const { return document(monpro_rsa_public_exponent); }
    [[nodiscard]] bytes to_der() const { return document(monpro_rsa_public_to_der); }
    [[nodiscard]] std::string to_pem() const {
        const auto write = [&](char *pem, std::size_t capacity, std::size_t *length) {
            return monpro_rsa_public_to_pem(get(), pem, capacity, length);
        };
        std::string pem(detail::length_of<char>(write), '\0');
        std::size_t length = 0;
        detail::check(write(pem.data(), pem.size() + 1, &length));
        return pem;
    }

    /// Whether it is a signature of the message by RSASSA-PSS.
    [[nodiscard]] bool verify_pss(bytes_view message, bytes_view signature, const pss &parameters = {}) const {
        const monpro_pss given{parameters.hash, parameters.mgf1_hash, parameters.salt_length};
        return is_good(monpro_rsa_verify_pss(get(), &given, message.data(), message.size(), signature.data(),
                                             signature.size()));
    }
    /// Whether it is a signature of the message by RSASSA-PKCS1-v1_5.
    [[nodiscard]] bool verify_pkcs1(bytes_view message, bytes_view signature, const char *hash = "sha256") const {
        return is_good(monpro_rsa_verify_pkcs1(get(), hash, message.data(), message.size(), signature.data(),
                                               signature.size()));
    }
    /// Whether it is a signature of the message with this hash.
    [[nodiscard]] bool verify_pss_prehashed(bytes_view hash, bytes_view signature, const pss &parameters = {}) const {
        const monpro_pss given{parameters.hash, parameters.mgf1_hash, parameters.salt_length};
        return is_good(monpro_rsa_verify_pss_prehashed(get(), &given, hash.data(), hash.size(), signature.data(),
                                                       signature.size()));
    }
    [[nodiscard]] bool verify_pkcs1_prehashed(bytes_view hash, bytes_view signature,
                                              const char *name = "sha256") const {
        return is_good(monpro_rsa_verify_pkcs1_prehashed(get(), name, hash.data(), hash.size(), signature.data(),
                                                         signature.size()));
    }
    /// A ciphertext of RSAES-OAEP.
    [[nodiscard]] bytes encrypt_oaep(bytes_view message, const oaep &parameters = {},
                                     const random_source &random = {}) const {
        const monpro_oaep given{parameters.hash, parameters.mgf1_hash, parameters.label.data(),
                                parameters.label.size()};
        bytes result(size());
        random.with([&](const monpro_random *source) {
            return monpro_rsa_encrypt_oaep(get(), &given, message.data(), message.size(), source, result.data(),
                                           result.size());
        });
        return result;
    }
    /// A ciphertext of RSAES-PKCS1-v1_5, for peers that support nothing better.
    [[nodiscard]] bytes encrypt_pkcs1(bytes_view message, const random_source &random = {}) const {
        bytes result(size());
        random.with([&](const monpro_random *source) {
            return monpro_rsa_encrypt_pkcs1(get(), message.data(), message.size(), source, result.data(),
                                            result.size());
        });
        return result;
    }
    /// m^e mod n, without any padding; m has size() bytes.
    [[nodiscard]] bytes raw(bytes_view m) const {
        if (m.size() != size())
            throw error(MONPRO_STATUS_WRONG_LENGTH);
        return detail::written(size(), [&](std::uint8_t *result, std::size_t length) {
            return monpro_rsa_public_raw(get(), m.data(), result, length);
        });
    }

  private:
    friend class rsa_private_key;
    using handle = detail::handle<monpro_rsa_public, monpro_rsa_public_free>;
    explicit rsa_public_key(handle made) noexcept : handle_(std::move(made)) {}

    static bool is_good(monpro_status status) {
        if (status != MONPRO_STATUS_BAD_SIGNATURE)
            detail::check(status);
        return status == MONPRO_STATUS_OK;
    }
    template <class Function>
    bytes document(Function function) const {
        const auto write = [&](std::uint8_t *result, std::size_t capacity, std::size_t *length) {
            return function(get(), result, capacity, length);
        };
        return detail::written(detail::length_of<std::uint8_t>(write), [&](std::uint8_t *result, std::size_t length) {
            return write(result, length, &length);
        });
    }

    handle handle_;
};

/// The numbers of a private key; p and q may be left out.
struct rsa_numbers {
    bytes_view n, e, d, p = {}, q = {};
};

/// An RSA key with its two primes.
class rsa_private_key {
  public:
    /// A new key.
    [[nodiscard]] static rsa_private_key generate(std::size_t bits, const random_source &random = {}) {
        monpro_rsa_private *place = nullptr;
        random.with([&](const monpro_random *source) { return monpro_rsa_private_generate(bits, source, &place); });
        return rsa_private_key(handle(place));
    }
    [[nodiscard]] static rsa_private_key from_pem(std::string_view pem) {
        return rsa_private_key(detail::made<handle>([&](monpro_rsa_private **place) {
            return monpro_rsa_private_from_pem(pem.data(), pem.size(), place);
        }));
    }
    [[nodiscard]] static rsa_private_key from_der(bytes_view der) {
        return rsa_private_key(detail::made<handle>([&](monpro_rsa_private **place) {
            return monpro_rsa_private_from_der(der.data(), der.size(), place);
        }));
    }
    /// A key in PEM or DER, with the passphrase if it is encrypted.
    [[nodiscard]] static rsa_private_key load(bytes_view document, bytes_view passphrase = {}) {
        return rsa_private_key(detail::made<handle>([&](monpro_rsa_private **place) {
            return monpro_rsa_private_load(document.data(), document.size(), passphrase.data(), passphrase.size(), place);
        }));
    }
    explicit rsa_private_key(const rsa_numbers &numbers)
        : handle_(detail::made<handle>([&](monpro_rsa_private **place) {
              const auto &[n, e, d, p, q] = numbers;
              const monpro_rsa_numbers given{n.data(), n.size(), e.data(), e.size(), d.data(),
                                             d.size(), p.data(), p.size(), q.data(), q.size()};
              return monpro_rsa_private_new(&given, place);
          })) {}

    [[nodiscard]] std::size_t size() const noexcept { return monpro_rsa_private_bytes(get()); }
    [[nodiscard]] const monpro_rsa_private *get() const noexcept { return handle_.get(); }
    [[nodiscard]] rsa_public_key public_key() const {
        return rsa_public_key(detail::made<rsa_public_key::handle>([&](monpro_rsa_public **place) {
            return monpro_rsa_public_of(get(), place);
        }));
    }
    [[nodiscard]] secret_bytes to_der() const {
        const auto write = [&](std::uint8_t *der, std::size_t capacity, std::size_t *length) {
            return monpro_rsa_private_to_der(get(), der, capacity, length);
        };
        return detail::secret_up_to(detail::length_of<std::uint8_t>(write), write);
    }
    /// The document in PEM; text() gives its characters.
    [[nodiscard]] secret_bytes to_pem() const {
        const auto write = [&](auto *pem, std::size_t capacity, std::size_t *length) {
            return monpro_rsa_private_to_pem(get(), reinterpret_cast<char *>(pem), capacity, length);
        };
        return detail::secret_up_to(detail::length_of<char>(write) + 1, write);
    }
    /// The document in PEM, encrypted with a passphrase.
    [[nodiscard]] std::string to_encrypted_pem(bytes_view passphrase, const random_source &random = {}) const {
        constexpr std::size_t enough = 16384;
        std::string pem(enough, '\0');
        std::size_t length = 0;
        random.with([&](const monpro_random *source) {
            return monpro_rsa_private_to_encrypted_pem(get(), passphrase.data(), passphrase.size(), source, pem.data(),
                                                       enough, &length);
        });
        pem.resize(length);
        return pem;
    }

    /// A signature by RSASSA-PSS.
    [[nodiscard]] bytes sign_pss(bytes_view message, const pss &parameters = {},
                                 const random_source &random = {}) const {
        const monpro_pss given{parameters.hash, parameters.mgf1_hash, parameters.salt_length};
        bytes result(size());
        random.with([&](const monpro_random *source) {
            return monpro_rsa_sign_pss(get(), &given, message.data(), message.size(), source, result.data(),
                                       result.size());
        });
        return result;
    }
    /// A signature by RSASSA-PKCS1-v1_5.
    [[nodiscard]] bytes sign_pkcs1(bytes_view message, const char *hash = "sha256",
                                   const random_source &random = {}) const {
        bytes result(size());
        random.with([&](const monpro_random *source) {
            return monpro_rsa_sign_pkcs1(get(), hash, message.data(), message.size(), source, result.data(),
                                         result.size());
        });
        return result;
    }
    /// Signatures of the message with this hash.
    [[nodiscard]] bytes sign_pss_prehashed(bytes_view hash, const pss &parameters = {},
                                           const random_source &random = {}) const {
        const monpro_pss given{parameters.hash, parameters.mgf1_hash, parameters.salt_length};
        bytes result(size());
        random.with([&](const monpro_random *source) {
            return monpro_rsa_sign_pss_prehashed(get(), &given, hash.data(), hash.size(), source, result.data(),
                                                 result.size());
        });
        return result;
    }
    [[nodiscard]] bytes sign_pkcs1_prehashed(bytes_view hash, const char *name = "sha256",
                                             const random_source &random = {}) const {
        bytes result(size());
        random.with([&](const monpro_random *source) {
            return monpro_rsa_sign_pkcs1_prehashed(get(), name, hash.data(), hash.size(), source, result.data(),
                                                   result.size());
        });
        return result;
    }
    /// The message of a ciphertext of RSAES-OAEP.
    [[nodiscard]] secret_bytes decrypt_oaep(bytes_view ciphertext, const oaep &parameters = {},
                                            const random_source &random = {}) const {
        const monpro_oaep given{parameters.hash, parameters.mgf1_hash, parameters.label.data(),
                                parameters.label.size()};
        return decrypted(random, [&](const monpro_random *source, secret_bytes &message, std::size_t *length) {
            return monpro_rsa_decrypt_oaep(get(), &given, ciphertext.data(), ciphertext.size(), source,
                                           message.data(), message.size(), length);
        });
    }
    /// The message of a ciphertext of RSAES-PKCS1-v1_5, or one that nobody can tell from it.
    [[nodiscard]] secret_bytes decrypt_pkcs1(bytes_view ciphertext, const random_source &random = {}) const {
        return decrypted(random, [&](const monpro_random *source, secret_bytes &message, std::size_t *length) {
            return monpro_rsa_decrypt_pkcs1(get(), ciphertext.data(), ciphertext.size(), source, message.data(),
                                            message.size(), length);
        });
    }
    /// c^d mod n, without any padding; c has size() bytes.
    [[nodiscard]] secret_bytes raw(bytes_view c, const random_source &random = {}) const {
        if (c.size() != size())
            throw error(MONPRO_STATUS_WRONG_LENGTH);
        secret_bytes result(size());
        random.with([&](const monpro_random *source) {
            return monpro_rsa_private_raw(get(), c.data(), source, result.data(), result.size());
        });
        return result;
    }
    /// c^d mod n for the number c in each of so many rows, on every core; the statuses of the rows. Several threads use
    /// the random source at once.
    [[nodiscard]] bytes raw_column(const monpro_column &numbers, std::size_t rows, const monpro_column &results,
                                   std::size_t threads = 0, const random_source &random = {}) const {
        bytes statuses(rows);
        random.with([&](const monpro_random *source) {
            return monpro_columns_rsa_private(get(), &numbers, rows, source, &results, statuses.data(), threads);
        });
        return statuses;
    }

  private:
    using handle = detail::handle<monpro_rsa_private, monpro_rsa_private_free>;
    explicit rsa_private_key(handle made) noexcept : handle_(std::move(made)) {}

    template <class Decrypt>
    secret_bytes decrypted(const random_source &random, Decrypt decrypt) const {
        secret_bytes message(size());
        std::size_t length = 0;
        random.with([&](const monpro_random *source) { return decrypt(source, message, &length); });
        message.shorten(length);
        return message;
    }

    handle handle_;
};

} // namespace monpro

#endif
