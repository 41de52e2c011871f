// Uses monpro.hpp as a program would. It is compiled as C++17, 20 and 23, by two compilers.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <monpro.hpp>
#if __has_include(<span>)
#include <span>
#endif

namespace {

int failures = 0;

void check(bool is_right, const char *what) {
    if (!is_right) {
        std::fprintf(stderr, "wrong: %s\n", what);
        failures++;
    }
}

template <class Call>
void check_throws(monpro_status status, const char *what, Call call) {
    try {
        static_cast<void>(call());
    } catch (const monpro::error &error) {
        check(error.status() == status && error.what() == std::string_view(monpro_status_message(status)), what);
        return;
    }
    check(false, what);
}

using monpro::bytes;
using monpro::number;

template <class T>
constexpr bool is_move_only = std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T> &&
                              !std::is_copy_constructible_v<T> && !std::is_copy_assignable_v<T>;
static_assert(is_move_only<monpro::modulus> && is_move_only<monpro::fixed_base> && is_move_only<monpro::field>);
static_assert(is_move_only<monpro::group> && is_move_only<monpro::dh_key> && is_move_only<monpro::secret_bytes>);
static_assert(is_move_only<monpro::rsa_private_key> && is_move_only<monpro::rsa_public_key>);
static_assert(sizeof(monpro::modulus) == sizeof(void *), "a handle costs as much as a pointer");
static_assert(std::is_base_of_v<std::runtime_error, monpro::error>);
static_assert(!std::is_convertible_v<std::vector<int>, monpro::bytes_view>);
static_assert(!std::is_constructible_v<monpro::bytes_view, int>);

void views() {
    const std::array<std::uint8_t, 2> array{1, 2};
    const std::uint8_t plain[] = {1, 2};
    const std::vector<std::byte> vector{std::byte{1}, std::byte{2}};
    const std::string text("\1\2");
    for (const monpro::bytes_view &view :
         {monpro::bytes_view(array), monpro::bytes_view(plain), monpro::bytes_view(vector), monpro::bytes_view(text),
          monpro::bytes_view(std::string_view(text)), monpro::bytes_view("\1\2"), monpro::bytes_view(plain, 2)})
        check(view.size() == 2 && view.data()[0] == 1 && view.data()[1] == 2, "a view of two bytes");
#ifdef __cpp_lib_span
    check(monpro::bytes_view(std::span(array)).size() == 2, "a view of a span");
#endif
    check(number(0).empty() && number(65537) == bytes{1, 0, 1}, "bytes of numbers");
    check(number(UINT64_MAX) == bytes(8, 0xff), "bytes of the largest number");
}

void powers() {
    monpro::modulus n(number(65521));
    const bytes one{0, 1};
    check(n.size() == 2 && !n.kernel().empty(), "a modulus");
    check(n.pow(number(3), number(65520)) == one, "Fermat's little theorem");
    check(n.pow_vartime(number(3), number(65520)) == one, "Fermat's little theorem in variable time");
    check(n.mul(number(256), number(256)) == bytes{0, 15}, "256² mod 65521");
    const bytes three = number(3), exponent = number(1234), rest = number(65520 - 1234);
    check(n.multi_pow({{three, exponent}, {three, rest}}) == one, "a product of powers");
    check(n.multi_pow_vartime({{three, exponent}, {three, rest}}) == one, "a product of powers");
    const monpro::fixed_base table(n, three, 16);
    check(table.pow(exponent) == n.pow(three, exponent), "a fixed base");
    check_throws(MONPRO_STATUS_EXPONENT_TOO_LONG, "17 bits", [&] { return table.pow(number(65536)); });
    check_throws(MONPRO_STATUS_EVEN_MODULUS, "an even modulus", [] { return monpro::modulus(number(6)); });
    check_throws(MONPRO_STATUS_UNKNOWN_KERNEL, "no kernel", [] { return monpro::modulus(number(7), "none"); });

    const monpro::modulus moved(std::move(n));
    check(moved.pow(three, exponent).size() == 2, "what was moved");
    // NOLINTNEXTLINE: what was moved from can be asked, and refuses.
    check_throws(MONPRO_STATUS_NULL_POINTER, "what was moved from", [&] { return n.pow(three, exponent); });

    check(monpro::modexp(three, number(200), number(1000)) == one, "modexp");
    check(monpro::modexp_vartime(three, number(200), number(1000)) == one, "modexp_vartime");
    const bytes thousand = number(1000), two_hundred = number(200);
    check(monpro::pow_batch({{three, two_hundred, thousand}, {three, {}, thousand}}) ==
              std::vector<bytes>{one, one},
          "a batch");
    const bytes x = number(2), p = number(11), q = number(7), d_q = number(1), inverse = number(8);
    check(monpro::pow_crt_batch({{x, p, q, three, d_q, inverse}}) == std::vector<bytes>{{0, 30}}, "halves");
}

void fields() {
    const auto aes = monpro::field::from_exponents({8, 4, 3, 1, 0});
    const bytes x{0x53}, y{0xca}, one{1};
    check(aes.degree() == 8 && aes.size() == 1 && !aes.kernel().empty(), "a field");
    check(aes.mul(x, y) == one && aes.inverse(x) == y, "53·ca = 1");
    check(aes.sqrt(aes.square(x)) == x && aes.frobenius(x, 8) == x, "squares");
    check(aes.add(x, y) == bytes{0x99}, "a sum");
    check(aes.pow(x, number(255)) == one && aes.pow_vartime(x, number(254)) == y, "powers");
    check(aes.dot(bytes{0x53, 1}, bytes{0xca, 1}) == bytes{0}, "a dot product");
    check(aes.batch_inverse(bytes{0x53, 1}) == bytes{0xca, 1}, "inverses");
    check(aes.trace(one) == false, "the trace of 1 in an even degree");
    const monpro::field odd(number(0x83));
    check(odd.trace(one) && odd.half_trace(one).size() == 1, "a half-trace");
    check_throws(MONPRO_STATUS_NOT_INVERTIBLE, "1/0", [&] { return aes.inverse(bytes{0}); });
    check_throws(MONPRO_STATUS_EVEN_DEGREE, "a half-trace", [&] { return aes.half_trace(one); });
    check_throws(MONPRO_STATUS_WRONG_LENGTH, "two bytes", [&] { return aes.square(bytes{0, 1}); });
    check_throws(MONPRO_STATUS_WRONG_LENGTH, "unequal lengths", [&] { return aes.mul(x, bytes{0, 1}); });
    check_throws(MONPRO_STATUS_WRONG_LENGTH, "unequal lists", [&] { return aes.dot(x, bytes{0, 1}); });
    check_throws(MONPRO_STATUS_REDUCIBLE_POLYNOMIAL, "(x + 1)²", [] { return monpro::field(number(5)); });
}

void key_exchange() {
    check(monpro::group::names().size() >= 10, "names of groups");
    const auto group = monpro::group::named("ffdhe2048");
    const auto alice = monpro::dh_key::generate(group), bob = monpro::dh_key::generate(group);
    const auto one = alice.agree(bob.public_value()), other = bob.agree(alice.public_value());
    check(one.size() == group.size() && one.text() == other.text(), "both sides agree");
    check_throws(MONPRO_STATUS_PEER_REFUSED, "0", [&] { return alice.agree(bytes(group.size())); });
    check(monpro::dh_key(monpro::group::integers(number(23), number(5), number(22)), number(6)).public_value() ==
              bytes{8},
          "5^6 mod 23");
    const auto aes = monpro::field::from_exponents({8, 4, 3, 1, 0});
    check(monpro::group::binary_field(aes, bytes{3}).private_size() == 1, "a group in a field");
}

void rsa() {
    const auto key = monpro::rsa_private_key::generate(1024);
    const auto public_key = key.public_key();
    const bytes signature = key.sign_pss("a message");
    check(public_key.verify_pss("a message", signature), "a signature");
    check(!public_key.verify_pss("another", signature), "another message");
    monpro::pss parameters;
    parameters.hash = "sha384";
    parameters.salt_length = 3;
    const std::string message("a message");
    check(public_key.verify_pss(message, key.sign_pss(message, parameters), parameters), "parameters");
    check(!public_key.verify_pss(message, signature, parameters), "other parameters");
    check(public_key.verify_pkcs1(message, key.sign_pkcs1(message, "sha512"), "sha512"), "PKCS#1");
    monpro::oaep labelled;
    labelled.label = "label";
    check(key.decrypt_oaep(public_key.encrypt_oaep(message, labelled), labelled).text() == message, "OAEP");
    check_throws(MONPRO_STATUS_DECRYPTION, "no label",
                 [&] { return key.decrypt_oaep(public_key.encrypt_oaep(message, labelled)); });
    check(key.decrypt_pkcs1(public_key.encrypt_pkcs1(message)).text() == message, "PKCS#1");
    check(public_key.e() == number(65537) && public_key.n().size() == 128, "the numbers of a key");
    bytes m(128);
    m.back() = 7;
    check(key.raw(public_key.raw(m)).text() == std::string_view(reinterpret_cast<const char *>(m.data()), 128), "raw");

    const auto again = monpro::rsa_private_key::from_pem(key.to_pem().text());
    check(again.to_pem().text() == key.to_pem().text(), "a document in PEM");
    check(monpro::rsa_private_key::from_der(key.to_der()).size() == key.size(), "a document in DER");
    check(monpro::rsa_public_key::from_pem(public_key.to_pem()).n() == public_key.n(), "a public document in PEM");
    check(monpro::rsa_public_key::from_der(public_key.to_der()).n() == public_key.n(), "a public document in DER");
    check(monpro::rsa_public_key(public_key.n(), public_key.e()).bits() == 1024, "a key of numbers");
    const bytes hash(32, 7);
    check(public_key.verify_pss_prehashed(hash, key.sign_pss_prehashed(hash)), "a hash");
    check(public_key.verify_pkcs1_prehashed(hash, key.sign_pkcs1_prehashed(hash)), "a hash by PKCS#1");
    check_throws(MONPRO_STATUS_WRONG_LENGTH, "a short hash", [&] { return key.sign_pss_prehashed(bytes(31)); });
    const std::string encrypted = key.to_encrypted_pem("secret");
    check(monpro::rsa_private_key::load(encrypted, "secret").to_pem().text() == key.to_pem().text(), "encrypted");
    check_throws(MONPRO_STATUS_PASSPHRASE_NEEDED, "encrypted", [&] { return monpro::rsa_private_key::load(encrypted); });
    check(monpro::rsa_public_key::load(key.to_der()).n() == public_key.n(), "the public half of a document");
    const bytes n = number(0), e = number(3);
    check_throws(MONPRO_STATUS_UNSUPPORTED_KEY, "no modulus",
                 [&] { return monpro::rsa_private_key(monpro::rsa_numbers{n, e, e}); });
    check_throws(MONPRO_STATUS_NOT_A_KEY, "no key", [] { return monpro::rsa_private_key::from_pem("key"); });
    check(monpro::hash_names().size() >= 11, "names of hash functions");
}

void random_sources() {
    std::uint64_t state = 1;
    auto repeatable = [&state](std::uint8_t *at, std::size_t length) {
        for (std::size_t i = 0; i < length; i++) {
            state = state * 0xd1342543de82ef95U + 1;
            at[i] = static_cast<std::uint8_t>(state >> 56);
        }
    };
    const auto one = monpro::rsa_private_key::generate(512, repeatable);
    state = 1;
    check(monpro::rsa_private_key::generate(512, repeatable).to_pem().text() == one.to_pem().text(), "the same key");
    auto throwing = [](std::uint8_t *, std::size_t) { throw std::logic_error("no bytes"); };
    try {
        static_cast<void>(monpro::rsa_private_key::generate(512, throwing));
        check(false, "what a source throws");
    } catch (const std::logic_error &error) {
        check(error.what() == std::string_view("no bytes"), "what a source throws");
    }
}

void cancellations() {
    const monpro::cancellation cancellation;
    cancellation.cancel();
    {
        const monpro::cancellation::watch watch(cancellation);
        check_throws(MONPRO_STATUS_CANCELLED, "a new key", [] { return monpro::rsa_private_key::generate(16384); });
    }
    check(monpro::modexp(number(2), number(10), number(1000)) == bytes{0, 24}, "nothing is watched any more");
}

void progress() {
    std::size_t done = 0, total = 1;
    {
        const monpro::progress progress([&](std::size_t now, std::size_t of) {
            done = now;
            total = of;
        });
        static_cast<void>(monpro::rsa_private_key::generate(512));
        check(done >= 2 && total == 0, "numbers are tested for a key");
    }
    done = 0;
    static_cast<void>(monpro::rsa_private_key::generate(512));
    check(done == 0, "nobody is told any more");
}

void columns() {
    monpro::bytes bases{2, 3, 5}, exponent{3}, modulus{101}, out(3);
    monpro_column base{}, e{}, n{}, results{};
    base.bytes = bases.data(), base.length = 3, base.width = 1;
    e.bytes = exponent.data(), e.length = 1, e.is_constant = 1;
    n.bytes = modulus.data(), n.length = 1, n.is_constant = 1;
    results.bytes = out.data(), results.length = 3, results.width = 1;
    const auto statuses = monpro::columns_compute(MONPRO_COLUMNS_OPERATION_POW, {base, e, n}, 3, results);
    check(out == monpro::bytes{8, 27, 24} && statuses == monpro::bytes{0, 0, 0}, "columns");
    const auto key = monpro::rsa_private_key::generate(512);
    monpro::bytes numbers(2 * key.size()), powers(2 * key.size());
    numbers.back() = 2;
    base.bytes = numbers.data(), base.length = numbers.size(), base.width = key.size();
    results.bytes = powers.data(), results.length = powers.size(), results.width = key.size();
    check(key.raw_column(base, 2, results) == monpro::bytes{0, 0}, "a column of a key");
    const monpro::bytes two(numbers.begin() + static_cast<std::ptrdiff_t>(key.size()), numbers.end());
    const auto power = key.raw(two);
    check(std::equal(power.begin(), power.end(), powers.begin() + static_cast<std::ptrdiff_t>(key.size())), "its power");
}

} // namespace

int main() {
    check(monpro::version() == monpro_version(), "the version");
    views();
    powers();
    columns();
    fields();
    key_exchange();
    rsa();
    random_sources();
    cancellations();
    progress();
    return failures == 0 ? 0 : 1;
}
