// Seals a line for the holder of an RSA key, and opens it: the line is encrypted by a pad that RSAES-OAEP carries. Shows
// errors as exceptions, secrets that erase themselves, and a signature beside the ciphertext.
//
//     sealed_box BITS LINE
//
//     c++ -std=c++17 -o sealed_box sealed_box.cpp $(pkg-config --cflags --libs monpro)
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <monpro.hpp>
#include <string>

namespace {

struct box {
    monpro::bytes sealed_pad, ciphertext, signature;
};

/// Each byte of the line with one of the pad, which is as long and serves once.
std::string combined(std::string_view line, const monpro::secret_bytes &pad) {
    std::string result(line);
    for (std::size_t i = 0; i < result.size(); i++)
        result[i] = static_cast<char>(static_cast<unsigned char>(result[i]) ^ pad.data()[i]);
    return result;
}

box seal(std::string_view line, const monpro::rsa_public_key &to, const monpro::rsa_private_key &from) {
    monpro::secret_bytes pad(line.size());
    std::ifstream source("/dev/urandom", std::ios::binary);
    if (!source.read(reinterpret_cast<char *>(pad.data()), static_cast<std::streamsize>(pad.size())))
        throw std::runtime_error("/dev/urandom cannot be read");
    const std::string ciphertext = combined(line, pad);
    return {to.encrypt_oaep(pad), {ciphertext.begin(), ciphertext.end()}, from.sign_pss(ciphertext)};
}

std::string open(const box &box, const monpro::rsa_private_key &to, const monpro::rsa_public_key &from) {
    if (!from.verify_pss(box.ciphertext, box.signature))
        throw std::runtime_error("the signature is not good");
    const monpro::secret_bytes pad = to.decrypt_oaep(box.sealed_pad);
    return combined({reinterpret_cast<const char *>(box.ciphertext.data()), box.ciphertext.size()}, pad);
}

} // namespace

int main(int count, char **arguments) {
    if (count != 3 || *arguments[2] == '\0') {
        std::cerr << "sealed_box: usage: sealed_box BITS LINE\n";
        return 2;
    }
    try {
        const std::size_t bits = std::strtoul(arguments[1], nullptr, 10);
        const auto alice = monpro::rsa_private_key::generate(bits), bob = monpro::rsa_private_key::generate(bits);
        box box = seal(arguments[2], bob.public_key(), alice);
        std::cout << "opened: " << open(box, bob, alice.public_key()) << '\n';
        box.ciphertext.front() ^= 1;
        open(box, bob, alice.public_key());
        return 1;
    } catch (const monpro::error &error) {
        std::cerr << "sealed_box: " << error.what() << '\n';
        return 2;
    } catch (const std::exception &error) {
        std::cout << "changed: " << error.what() << '\n';
        return 0;
    }
}
