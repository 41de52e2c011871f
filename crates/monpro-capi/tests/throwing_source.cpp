// Two threads fill from one source that throws, as those of a column do. It is compiled with ThreadSanitizer.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <monpro.hpp>
#include <stdexcept>
#include <thread>

int main() {
    auto throwing = [](std::uint8_t *, std::size_t) { throw std::logic_error("no bytes"); };
    const monpro::random_source source(throwing);
    try {
        source.with([](const monpro_random *random) {
            auto fill = [random] {
                if (random->fill(random->context, nullptr, 0) == 0)
                    std::abort();
            };
            std::thread one(fill), other(fill);
            one.join();
            other.join();
            return MONPRO_STATUS_RANDOM_SOURCE;
        });
    } catch (const std::logic_error &) {
        return EXIT_SUCCESS;
    }
    return EXIT_FAILURE;
}
