/* monpro: Montgomery arithmetic and modular exponentiation. MIT or Apache-2.0.
   Written by cbindgen from the Rust sources. */

#ifndef MONPRO_H
#define MONPRO_H

#include <stddef.h>
#include <stdint.h>

/**
 * The most bytes of a number. A longer one is refused with MONPRO_STATUS_TOO_LONG.
 */
#define MONPRO_MAX_BYTES (1 << 28)

/**
 * How a call ended.
 */
typedef enum {
  /**
   * All is well.
   */
  MONPRO_STATUS_OK = 0,
  /**
   * A pointer is null where bytes are needed.
   */
  MONPRO_STATUS_NULL_POINTER = 1,
  /**
   * The space for the result does not have the length of the modulus.
   */
  MONPRO_STATUS_WRONG_LENGTH = 2,
  /**
   * The modulus is 0.
   */
  MONPRO_STATUS_ZERO_MODULUS = 3,
  /**
   * The modulus is even where an odd one is needed.
   */
  MONPRO_STATUS_EVEN_MODULUS = 4,
  /**
   * No kernel has the name.
   */
  MONPRO_STATUS_UNKNOWN_KERNEL = 5,
  /**
   * The kernel cannot be used: this CPU lacks its instructions, it is not one over the integers, or it does not
   * take the modulus.
   */
  MONPRO_STATUS_UNUSABLE_KERNEL = 6,
  /**
   * A mistake in the library.
   */
  MONPRO_STATUS_INTERNAL = 7,
  /**
   * A number has more than MONPRO_MAX_BYTES bytes, or a batch has more tasks than memory can hold.
   */
  MONPRO_STATUS_TOO_LONG = 8,
  /**
   * There is not enough memory.
   */
  MONPRO_STATUS_OUT_OF_MEMORY = 9,
} monpro_status;

/**
 * An odd modulus with its constants; to be freed by monpro_modulus_free. Threads may share it.
 */
typedef struct monpro_modulus monpro_modulus;

/**
 * One exponentiation of a batch: base^exponent mod modulus, into as many bytes as the modulus has.
 */
typedef struct {
  /**
   * The base.
   */
  const uint8_t *base;
  /**
   * The number of bytes of the base.
   */
  size_t base_length;
  /**
   * The exponent.
   */
  const uint8_t *exponent;
  /**
   * The number of bytes of the exponent.
   */
  size_t exponent_length;
  /**
   * The modulus, odd or even.
   */
  const uint8_t *modulus;
  /**
   * The number of bytes of the modulus.
   */
  size_t modulus_length;
  /**
   * The result: modulus_length bytes are written here.
   */
  uint8_t *result;
} monpro_pow_task;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The version of the library, as "1.2.3".
 */
const char *monpro_version(void);

/**
 * A line that says what a status means and how to mend it. The text lives as long as the program.
 */
const char *monpro_status_message(int status);

/**
 * Prepares an odd modulus of n_length big-endian bytes. kernel is the name of a kernel over the integers;
 * null takes the kernel that the environment variable MONPRO_KERNEL names or, without it, the fastest. In a
 * set-user-ID program, or one with other rights than its user has, the variable is ignored.
 *
 * *modulus is set in every case: to the modulus, or to null if the status is not MONPRO_STATUS_OK.
 *
 * The length of the modulus is public, its value is not: every kernel over the integers takes constant time.
 *
 * # Safety
 * The n_length bytes at n can be read, kernel is null or a string, modulus is null or can be written.
 */
monpro_status monpro_modulus_new(const uint8_t *n,
                                 size_t n_length,
                                 const char *kernel,
                                 monpro_modulus **modulus);

/**
 * Erases and frees a modulus; null is ignored.
 *
 * # Safety
 * The modulus is null, or is one of monpro_modulus_new that has not been freed and is not in use.
 */
void monpro_modulus_free(monpro_modulus *modulus);

/**
 * The number of bytes of a result: the length of the modulus without leading zeros. 0 for null.
 *
 * # Safety
 * The modulus is null, or is one of monpro_modulus_new that has not been freed.
 */
size_t monpro_modulus_bytes(const monpro_modulus *modulus);

/**
 * The name of the kernel that computes modulo this modulus; it lives as long as the modulus. Null for null.
 *
 * # Safety
 * The modulus is null, or is one of monpro_modulus_new that has not been freed.
 */
const char *monpro_modulus_kernel(const monpro_modulus *modulus);

/**
 * base^exponent mod n, in time that depends on the lengths alone.
 *
 * result_length must be what monpro_modulus_bytes returns; the result has leading zeros. The base may be any
 * number. The result may overlap the base and the exponent. It is written only if the status is
 * MONPRO_STATUS_OK.
 *
 * # Safety
 * The modulus is one of monpro_modulus_new that has not been freed, or null. The bytes of base and exponent
 * can be read, and the bytes of result can be written.
 */
monpro_status monpro_pow(const monpro_modulus *modulus,
                         const uint8_t *base,
                         size_t base_length,
                         const uint8_t *exponent,
                         size_t exponent_length,
                         uint8_t *result,
                         size_t result_length);

/**
 * base^exponent mod modulus, as in the precompiled contract MODEXP of the Ethereum virtual machine: the
 * modulus may be any number, the result is as long as the modulus, and the result modulo 0 is 0. The time
 * depends on the lengths and on the power of 2 in the modulus. The result may overlap the base, the exponent
 * and the modulus. It is written only if the status is MONPRO_STATUS_OK.
 *
 * # Safety
 * The bytes of base, exponent and modulus can be read, and modulus_length bytes at result can be written.
 */
monpro_status monpro_modexp(const uint8_t *base,
                            size_t base_length,
                            const uint8_t *exponent,
                            size_t exponent_length,
                            const uint8_t *modulus,
                            size_t modulus_length,
                            uint8_t *result);

/**
 * monpro_modexp for public numbers: faster, in a time that depends on all values.
 *
 * # Safety
 * As monpro_modexp.
 */
monpro_status monpro_modexp_vartime(const uint8_t *base,
                                    size_t base_length,
                                    const uint8_t *exponent,
                                    size_t exponent_length,
                                    const uint8_t *modulus,
                                    size_t modulus_length,
                                    uint8_t *result);

/**
 * monpro_modexp for each of the tasks, several at a time if the CPU has wide vectors. The bit lengths of the
 * exponents are public. If any task is refused, none is done, and the status is that of the first one
 * refused.
 *
 * The results may overlap all inputs, because they are written after the last power, in the order of the
 * tasks.
 *
 * # Safety
 * The count tasks can be read, and each meets the conditions of monpro_modexp.
 */
monpro_status monpro_pow_batch(const monpro_pow_task *tasks, size_t count);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MONPRO_H */
