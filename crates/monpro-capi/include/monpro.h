/* monpro: Montgomery arithmetic: powers, fields GF(2^k), key exchange, RSA. MIT or Apache-2.0.
   Written by cbindgen from the Rust sources. */

#ifndef MONPRO_H
#define MONPRO_H

#include <stddef.h>
#include <stdint.h>

/* Conventions
   -----------
   Numbers are big-endian bytes with their length; leading zeros fill up results, and are allowed in inputs
   unless a call asks for an exact length. A pointer with the length 0 may be null. A number has at most MONPRO_MAX_BYTES bytes.

   Every call that can fail returns a monpro_status: 0, which is MONPRO_STATUS_OK, or what is wrong; of several
   mistakes it tells one. Unless the status is MONPRO_STATUS_OK, a handle is set to null, a length to what the call says,
   and no result is written, except some of columns that are stopped. monpro_status_message gives a line for people. If there is not enough memory for the
   numbers of a call, its status is MONPRO_STATUS_OUT_OF_MEMORY; the question is asked before the computation begins, for
   all that is longer than a MiB, and a program that cannot have less is ended.

   A handle, such as a monpro_modulus, is made by a function whose last argument receives it, and is the caller's to
   free, once, by the function named after it. Functions that free take null. Strings that are returned belong to the
   library and are not freed. What a handle held is erased when it is freed; results are the caller's to erase.

   All functions may be called from any thread. Handles do not change, so that threads may share them; the last thread
   to use one frees it. A random source must bear the threads that share it. Time does not depend on secret values, except
   in functions whose names end in _vartime; lengths, public keys, moduli of fields and peers' values are public. */

/* Of a function whose result must not be ignored. */
#if defined(__cplusplus) && __cplusplus >= 201703L
#define MONPRO_MUST_USE [[nodiscard]]
#elif defined(__GNUC__)
#define MONPRO_MUST_USE __attribute__((warn_unused_result))
#else
#define MONPRO_MUST_USE
#endif

/**
 * The most bytes of a number. A longer one is refused with MONPRO_STATUS_TOO_LONG.
 */
#define MONPRO_MAX_BYTES (1 << 28)

/**
 * The most bytes of a number in a row of a column, and of a constant.
 */
#define MONPRO_MAX_ROW_BYTES (1 << 16)

/**
 * The salt is as long as the hash.
 */
#define MONPRO_SALT_AS_HASH 0

/**
 * A salt of any length is verified; signatures are made with one as long as the hash.
 */
#define MONPRO_SALT_ANY (1 << 29)

/**
 * There is no salt.
 */
#define MONPRO_SALT_NONE (1 << 30)

/**
 * How a call ended. A status is never renumbered; later versions may add some.
 */
typedef enum {
  /**
   * All is well.
   */
  MONPRO_STATUS_OK = 0,
  /**
   * A pointer is null where bytes, a name or a handle are needed.
   */
  MONPRO_STATUS_NULL_POINTER = 1,
  /**
   * The space for the result does not have the length of the result, or an input has not the one length that it
   * must have.
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
   * The kernel cannot be used: this CPU lacks its instructions, it is one of the other ring, or it does not take the
   * modulus.
   */
  MONPRO_STATUS_UNUSABLE_KERNEL = 6,
  /**
   * A mistake in the library.
   */
  MONPRO_STATUS_INTERNAL = 7,
  /**
   * A number has more than MONPRO_MAX_BYTES bytes, or there are more bytes, tasks or elements than memory can hold.
   */
  MONPRO_STATUS_TOO_LONG = 8,
  /**
   * There is not enough memory.
   */
  MONPRO_STATUS_OUT_OF_MEMORY = 9,
  /**
   * The switch that the thread watches has stopped the call.
   */
  MONPRO_STATUS_CANCELLED = 10,
  /**
   * The space for the result is too short; its length has been written.
   */
  MONPRO_STATUS_SPACE_TOO_SHORT = 11,
  /**
   * A number or an element has no inverse, or a number given as an inverse is not one.
   */
  MONPRO_STATUS_NOT_INVERTIBLE = 12,
  /**
   * The exponent has more bits than the table of a fixed base is for, or a table for exponents of more than 2^20
   * bits was asked for.
   */
  MONPRO_STATUS_EXPONENT_TOO_LONG = 13,
  /**
   * The polynomial is not irreducible, so that its residues are no field.
   */
  MONPRO_STATUS_REDUCIBLE_POLYNOMIAL = 14,
  /**
   * The polynomial has a degree above 65536.
   */
  MONPRO_STATUS_DEGREE_TOO_HIGH = 15,
  /**
   * An exponent of a polynomial is listed more than once.
   */
  MONPRO_STATUS_REPEATED_EXPONENT = 16,
  /**
   * A number is not below the modulus, or an element's degree is not below the field's.
   */
  MONPRO_STATUS_NOT_REDUCED = 17,
  /**
   * The half-trace of a field of even degree was asked for.
   */
  MONPRO_STATUS_EVEN_DEGREE = 18,
  /**
   * No group has the name.
   */
  MONPRO_STATUS_UNKNOWN_GROUP = 19,
  /**
   * The modulus, the generator or the order makes no group for key exchange.
   */
  MONPRO_STATUS_UNUSABLE_GROUP = 20,
  /**
   * The private key of a key exchange is 0 or leads to a public value that everybody knows.
   */
  MONPRO_STATUS_DEGENERATE_PRIVATE_KEY = 21,
  /**
   * The peer's public value is not one of the group.
   */
  MONPRO_STATUS_PEER_REFUSED = 22,
  /**
   * The random source has no bytes, or gives none that can be used.
   */
  MONPRO_STATUS_RANDOM_SOURCE = 23,
  /**
   * No hash function has the name.
   */
  MONPRO_STATUS_UNKNOWN_HASH = 24,
  /**
   * The document is not an RSA key in PEM or DER.
   */
  MONPRO_STATUS_NOT_A_KEY = 25,
  /**
   * The document is a key of another algorithm.
   */
  MONPRO_STATUS_OTHER_ALGORITHM = 26,
  /**
   * The key is an RSA key that this library does not take: modulus and public exponent must be odd, the modulus of
   * 512 to 16384 bits, the exponent from 3 up and of at most 256 bits, the primes at most five; parameters of PSS must
   * be known, and the derivation of an encrypted document's key not too long.
   */
  MONPRO_STATUS_UNSUPPORTED_KEY = 27,
  /**
   * The numbers of the private key do not belong together.
   */
  MONPRO_STATUS_DAMAGED_KEY = 28,
  /**
   * Keys of this length are not made.
   */
  MONPRO_STATUS_KEY_LENGTH = 29,
  /**
   * The message is too long for the key and the scheme.
   */
  MONPRO_STATUS_MESSAGE_TOO_LONG = 30,
  /**
   * The key is too short for the hash function, the scheme and the salt.
   */
  MONPRO_STATUS_KEY_TOO_SHORT = 31,
  /**
   * The signature is not one of this message by this key.
   */
  MONPRO_STATUS_BAD_SIGNATURE = 32,
  /**
   * The ciphertext does not decrypt.
   */
  MONPRO_STATUS_DECRYPTION = 33,
  /**
   * A result was wrong, and is withheld.
   */
  MONPRO_STATUS_FAULT = 34,
  /**
   * Signatures are not made with SHA-1.
   */
  MONPRO_STATUS_WEAK_HASH = 35,
  /**
   * The document is encrypted, and there is no passphrase.
   */
  MONPRO_STATUS_PASSPHRASE_NEEDED = 36,
  /**
   * The passphrase is not that of the document.
   */
  MONPRO_STATUS_WRONG_PASSPHRASE = 37,
  /**
   * An empty passphrase protects nothing.
   */
  MONPRO_STATUS_EMPTY_PASSPHRASE = 38,
  /**
   * The key is for signatures by PSS alone (id-RSASSA-PSS), or for other parameters of PSS.
   */
  MONPRO_STATUS_KEY_USE = 39,
  /**
   * No operation on columns has the number.
   */
  MONPRO_STATUS_UNKNOWN_OPERATION = 40,
} monpro_status;

/**
 * An operation on the rows of columns. Operands are given in the order that is told here. Time depends on the widths of
 * rows, the bit lengths of moduli and of a constant exponent, and the powers of 2 in moduli, except as told.
 */
typedef enum {
  /**
   * base, exponent, modulus: base^exponent mod modulus for any modulus from 1 on.
   */
  MONPRO_COLUMNS_OPERATION_POW = 0,
  /**
   * The same for public numbers: faster, in a time that depends on all values.
   */
  MONPRO_COLUMNS_OPERATION_POW_VARTIME = 1,
  /**
   * base, exponent, modulus: the same as MONPRO_COLUMNS_OPERATION_POW, but 0 modulo 0, as in the precompiled contract
   * MODEXP of the Ethereum virtual machine.
   */
  MONPRO_COLUMNS_OPERATION_MODEXP = 2,
  /**
   * The same for public numbers: faster, in a time that depends on all values.
   */
  MONPRO_COLUMNS_OPERATION_MODEXP_VARTIME = 3,
  /**
   * base, factor, modulus: base·factor mod modulus for any modulus from 1 on.
   */
  MONPRO_COLUMNS_OPERATION_PRODUCT = 4,
  /**
   * number, modulus: the inverse of number modulo any modulus from 1 on. Which numbers have none becomes public.
   */
  MONPRO_COLUMNS_OPERATION_INVERSE = 5,
  /**
   * number: 1 if it is prime, else 0, for public numbers. Every prime is found prime. A composite is taken for a prime
   * with a probability below 4^-32, whoever chose it: primes below 2^12 are tried first, and then 32 random bases of
   * Miller and Rabin.
   */
  MONPRO_COLUMNS_OPERATION_PRIME = 6,
} monpro_columns_operation;

/**
 * What became of a row, as the byte in the statuses.
 */
typedef enum {
  /**
   * The result is right.
   */
  MONPRO_ROW_STATUS_OK = 0,
  /**
   * An operand is null.
   */
  MONPRO_ROW_STATUS_NULL_OPERAND = 1,
  /**
   * The modulus is 0.
   */
  MONPRO_ROW_STATUS_ZERO_MODULUS = 2,
  /**
   * An operand has more than MONPRO_MAX_ROW_BYTES bytes, or the results of this modulus do not fit into the row.
   */
  MONPRO_ROW_STATUS_TOO_WIDE = 3,
  /**
   * The number shares a factor with the modulus.
   */
  MONPRO_ROW_STATUS_NOT_INVERTIBLE = 4,
  /**
   * The number is not below the modulus of the key.
   */
  MONPRO_ROW_STATUS_NOT_BELOW_MODULUS = 5,
  /**
   * The result was wrong when it was checked, and is withheld.
   */
  MONPRO_ROW_STATUS_FAULT = 6,
} monpro_row_status;

/**
 * A switch that stops calls; to be freed by monpro_cancellation_free.
 */
typedef struct monpro_cancellation monpro_cancellation;

/**
 * A private key of a group, with its public value; to be freed by monpro_dh_key_free. Threads may share it.
 */
typedef struct monpro_dh_key monpro_dh_key;

/**
 * The field GF(2^k) of the polynomials over GF(2) modulo an irreducible polynomial of degree k; to be freed by
 * monpro_field_free. Threads may share it.
 *
 * An element is monpro_field_bytes bytes, the highest coefficients first: the coefficient of x^i is bit i mod 8 of the
 * byte that is i / 8 bytes before the last one. Elements of functions with one length have this length each. Results
 * may overlap inputs, and are written only if the status is MONPRO_STATUS_OK. Time does not depend on the values of
 * elements and exponents, except in functions that end in _vartime; the polynomial is public.
 */
typedef struct monpro_field monpro_field;

/**
 * A base with a table of its powers, for many exponents; to be freed by monpro_fixed_base_free. Threads may share
 * it.
 */
typedef struct monpro_fixed_base monpro_fixed_base;

/**
 * A group for key exchange: the powers of a generator; to be freed by monpro_group_free. Threads may share it.
 */
typedef struct monpro_group monpro_group;

/**
 * An odd modulus with its constants; to be freed by monpro_modulus_free. Threads may share it.
 */
typedef struct monpro_modulus monpro_modulus;

/**
 * An RSA key with its two primes; to be freed by monpro_rsa_private_free. Threads may share it.
 */
typedef struct monpro_rsa_private monpro_rsa_private;

/**
 * The public half of an RSA key; to be freed by monpro_rsa_public_free. Threads may share it.
 */
typedef struct monpro_rsa_public monpro_rsa_public;

/**
 * The numbers of an operand, or the places of results: big-endian, with leading zeros.
 */
typedef struct {
  /**
   * The bytes of all rows. They are read and written where they lie, in the thread of the call. Null if there are none.
   */
  uint8_t *bytes;
  /**
   * The number of bytes.
   */
  size_t length;
  /**
   * The bytes of a row, if there are no offsets; row i has those from width·i on.
   */
  size_t width;
  /**
   * Null, or an offset more than there are rows, each of offset_bytes bytes: row i has the bytes from offset i to offset
   * i + 1, as in binary and large_binary columns of Arrow.
   */
  const void *offsets;
  /**
   * 4 for offsets of type int32_t, 8 for int64_t.
   */
  size_t offset_bytes;
  /**
   * Null, or a bit for each row, the lowest of a byte first: row i is null where bit i is 0. Not for results.
   */
  const uint8_t *validity;
  /**
   * Not 0 if all bytes are one number for all rows. Not for results.
   */
  int is_constant;
} monpro_column;

/**
 * A random source of the caller's. It must be fit for cryptography: its bytes are secret, and nobody can predict
 * them. Functions that take a pointer to one take null for the system's source.
 */
typedef struct {
  /**
   * Fills length bytes, and returns 0; any other value says that there are none, and ends the call with
   * MONPRO_STATUS_RANDOM_SOURCE. It is called in the thread of the call, must return, and may be called by many
   * threads at once if they share the source.
   */
  int (*fill)(void *context, uint8_t *bytes, size_t length);
  /**
   * What fill gets as its first argument.
   */
  void *context;
} monpro_random;

/**
 * A power, base^exponent, in a product of powers.
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
} monpro_term;

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

/**
 * One private operation of RSA in a batch, with the numbers of a key as in RFC 8017, section 3.2: the number below
 * p·q that is base^d_p modulo p and base^d_q modulo q.
 */
typedef struct {
  /**
   * The base, any number.
   */
  const uint8_t *base;
  /**
   * The number of bytes of the base.
   */
  size_t base_length;
  /**
   * p, odd and prime to q.
   */
  const uint8_t *p;
  /**
   * The number of bytes of p.
   */
  size_t p_length;
  /**
   * q, odd.
   */
  const uint8_t *q;
  /**
   * The number of bytes of q.
   */
  size_t q_length;
  /**
   * The exponent modulo p, d mod (p - 1).
   */
  const uint8_t *d_p;
  /**
   * The number of bytes of d_p.
   */
  size_t d_p_length;
  /**
   * The exponent modulo q, d mod (q - 1).
   */
  const uint8_t *d_q;
  /**
   * The number of bytes of d_q.
   */
  size_t d_q_length;
  /**
   * The inverse of q modulo p.
   */
  const uint8_t *q_inverse;
  /**
   * The number of bytes of q_inverse.
   */
  size_t q_inverse_length;
  /**
   * The result: p_length + q_length bytes are written here, with leading zeros.
   */
  uint8_t *result;
} monpro_crt_task;

/**
 * Who is told how far a long call is.
 */
typedef struct {
  /**
   * Is told that `done` parts of `total` are done; `total` is 0 where nobody knows it. It is called in the thread of
   * the call and must return. It may call functions of this library, such as monpro_cancellation_cancel; those tell
   * nothing.
   */
  void (*tell)(void *context, size_t done, size_t total);
  /**
   * What tell gets as its first argument.
   */
  void *context;
} monpro_progress;

/**
 * The numbers of a private key, big-endian. p and q may be null with the length 0: then they are computed from d, or
 * the one from the other.
 */
typedef struct {
  /**
   * The modulus.
   */
  const uint8_t *n;
  /**
   * The number of bytes of n.
   */
  size_t n_length;
  /**
   * The public exponent.
   */
  const uint8_t *e;
  /**
   * The number of bytes of e.
   */
  size_t e_length;
  /**
   * The private exponent.
   */
  const uint8_t *d;
  /**
   * The number of bytes of d.
   */
  size_t d_length;
  /**
   * The first prime.
   */
  const uint8_t *p;
  /**
   * The number of bytes of p.
   */
  size_t p_length;
  /**
   * The second prime.
   */
  const uint8_t *q;
  /**
   * The number of bytes of q.
   */
  size_t q_length;
} monpro_rsa_numbers;

/**
 * The parameters of RSAES-OAEP. A structure of zeros, and a null pointer to one, stand for SHA-256, also for MGF1, and
 * the empty label.
 */
typedef struct {
  /**
   * The name of the hash function of the label; null is sha256.
   */
  const char *hash;
  /**
   * The name of the hash function of MGF1; null is that of the label.
   */
  const char *mgf1_hash;
  /**
   * What the ciphertext is bound to: it decrypts with this label only.
   */
  const uint8_t *label;
  /**
   * The number of bytes of the label.
   */
  size_t label_length;
} monpro_oaep;

/**
 * The parameters of RSASSA-PSS. A structure of zeros, and a null pointer to one, stand for SHA-256, also for MGF1, and a
 * salt as long as the hash.
 */
typedef struct {
  /**
   * The name of the hash function of the message; null is sha256.
   */
  const char *hash;
  /**
   * The name of the hash function of MGF1; null is that of the message.
   */
  const char *mgf1_hash;
  /**
   * The number of bytes of the salt, or a constant that begins with MONPRO_SALT.
   */
  size_t salt_length;
} monpro_pss;

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
 * Makes a switch that has not been used yet. *cancellation is set in every case, to null without a switch.
 *
 * # Safety
 * cancellation is null or can be written.
 */
monpro_status monpro_cancellation_new(monpro_cancellation **cancellation);

/**
 * Frees a switch; null is ignored. Threads that watch it go on, and it never stops them.
 *
 * # Safety
 * The switch is null, or is one of monpro_cancellation_new that has not been freed and is not in use.
 */
void monpro_cancellation_free(monpro_cancellation *cancellation);

/**
 * From now on, the calls of this thread can be stopped by this switch; by none if it is null. A thread watches one
 * switch at a time, and threads may watch the same one.
 *
 * A call that is stopped erases its numbers, writes no result, and returns MONPRO_STATUS_CANCELLED. Long powers, new
 * RSA keys and new fields stop within milliseconds. A call that is too short to look at the switch succeeds.
 *
 * # Safety
 * The switch is null, or is one of monpro_cancellation_new that has not been freed.
 */
void monpro_cancellation_watch(const monpro_cancellation *cancellation);

/**
 * Stops the calls of all threads that watch the switch, those that run and those to come. Any thread may call this,
 * and a signal handler, too. Null is ignored.
 *
 * # Safety
 * The switch is null, or is one of monpro_cancellation_new that has not been freed.
 */
void monpro_cancellation_cancel(const monpro_cancellation *cancellation);

/**
 * Computes an operation, one of monpro_columns_operation, on each of so many rows, by so many threads, or by one for each core if threads is 0.
 *
 * There are as many operands as the operation has, and at least one of them is not a constant. The result of a row goes to
 * its place in results, with leading zeros, and a monpro_row_status goes to the byte of the row in statuses, which has
 * rows bytes. A row whose status is not 0 gets the result 0, and changes nothing for its neighbours. One modulus for all
 * rows has its constants computed once; one base and one odd modulus have a table of powers.
 *
 * Rows are computed in the order of their public sizes. Results and statuses must not overlap each other or the
 * operands. random is for MONPRO_COLUMNS_OPERATION_PRIME; null takes the system's source. The switch that the thread
 * watches stops all threads of the call. If a call is stopped, or lacks random numbers, some results have been written, and
 * no status. The thread's progress is told the number of rows that are done.
 *
 * MONPRO_STATUS_WRONG_LENGTH tells of another number of operands, of no column among them, of bytes too short for the
 * rows, and of offsets that decrease or lie beyond the bytes. Nothing is written then.
 *
 * # Safety
 * The operands can be read, each with its bytes, its rows + 1 offsets, and its bits of validity; the bytes of results and
 * statuses can be written. Nobody writes to any of them meanwhile.
 */
monpro_status monpro_columns_compute(int operation,
                                     const monpro_column *operands,
                                     size_t operand_count,
                                     size_t rows,
                                     const monpro_random *random,
                                     const monpro_column *results,
                                     uint8_t *statuses,
                                     size_t threads);

/**
 * c^d mod n for the number c in each of so many rows, without any padding, as monpro_columns_compute does with columns,
 * results, statuses and threads. Each row is blinded by random bytes of its own, and each result is checked before it is
 * written. random is called by several threads at once; null takes the system's source.
 *
 * # Safety
 * The key is one of this library that has not been freed, or null; random is null or a source. Those of
 * monpro_columns_compute for the rest.
 */
monpro_status monpro_columns_rsa_private(const monpro_rsa_private *key,
                                         const monpro_column *numbers,
                                         size_t rows,
                                         const monpro_random *random,
                                         const monpro_column *results,
                                         uint8_t *statuses,
                                         size_t threads);

/**
 * Makes the field of an irreducible polynomial, big-endian: 0x11b is x^8 + x^4 + x^3 + x + 1. The degree is from 1 to
 * 65536. kernel is the name of a kernel over GF(2)[x]; null takes the fastest one, in constant time. With one whose name
 * ends in _vartime, the time depends on the elements. The test of irreducibility takes as long as k squares.
 *
 * *field is set in every case, to null if the status is not MONPRO_STATUS_OK; MONPRO_STATUS_REDUCIBLE_POLYNOMIAL and
 * MONPRO_STATUS_DEGREE_TOO_HIGH tell of polynomials that make no field.
 *
 * # Safety
 * The bytes of the polynomial can be read, kernel is null or a string, field is null or can be written.
 */
monpro_status monpro_field_new(const uint8_t *polynomial,
                               size_t polynomial_length,
                               const char *kernel,
                               monpro_field **field);

/**
 * Makes the field of the polynomial with these count exponents, in any order: 571, 10, 5, 2, 0 stand for
 * x^571 + x^10 + x^5 + x^2 + 1. MONPRO_STATUS_REPEATED_EXPONENT tells of one that is listed more than once; otherwise
 * as monpro_field_new.
 *
 * # Safety
 * The count exponents can be read, field is null or can be written.
 */
monpro_status monpro_field_from_exponents(const size_t *exponents,
                                          size_t count,
                                          monpro_field **field);

/**
 * Frees a field; null is ignored. Groups that were made with it stay.
 *
 * # Safety
 * The field is null, or is one of this library that has not been freed and is not in use.
 */
void monpro_field_free(monpro_field *field);

/**
 * k, the degree of the field over GF(2). 0 for null.
 *
 * # Safety
 * The field is null, or is one of this library that has not been freed.
 */
size_t monpro_field_degree(const monpro_field *field);

/**
 * The number of bytes of an element, k / 8 rounded up. 0 for null.
 *
 * # Safety
 * The field is null, or is one of this library that has not been freed.
 */
size_t monpro_field_bytes(const monpro_field *field);

/**
 * The name of the kernel that computes in the field; it lives as long as the field. Null for null.
 *
 * # Safety
 * The field is null, or is one of this library that has not been freed.
 */
const char *monpro_field_kernel(const monpro_field *field);

/**
 * x + y, which is also x - y: the bytes are combined by exclusive or.
 *
 * # Safety
 * The field is one of this library that has not been freed, or null. length bytes at x and y can be read, and at
 * result written.
 */
monpro_status monpro_field_add(const monpro_field *field,
                               const uint8_t *x,
                               const uint8_t *y,
                               uint8_t *result,
                               size_t length);

/**
 * x·y.
 *
 * # Safety
 * As monpro_field_add.
 */
monpro_status monpro_field_mul(const monpro_field *field,
                               const uint8_t *x,
                               const uint8_t *y,
                               uint8_t *result,
                               size_t length);

/**
 * x².
 *
 * # Safety
 * As monpro_field_add.
 */
monpro_status monpro_field_square(const monpro_field *field,
                                  const uint8_t *x,
                                  uint8_t *result,
                                  size_t length);

/**
 * The element y with x·y = 1; MONPRO_STATUS_NOT_INVERTIBLE for x = 0.
 *
 * # Safety
 * As monpro_field_add.
 */
monpro_status monpro_field_inverse(const monpro_field *field,
                                   const uint8_t *x,
                                   uint8_t *result,
                                   size_t length);

/**
 * The one element y with y² = x.
 *
 * # Safety
 * As monpro_field_add.
 */
monpro_status monpro_field_sqrt(const monpro_field *field, const uint8_t *x, uint8_t *result, size_t length);

/**
 * For odd k, the half-trace h, the sum of x^(4^i) for i from 0 to (k - 1)/2: h² + h = x + Tr(x), so that h and h + 1
 * solve z² + z = x if the trace of x is 0. MONPRO_STATUS_EVEN_DEGREE for even k.
 *
 * # Safety
 * As monpro_field_add.
 */
monpro_status monpro_field_half_trace(const monpro_field *field,
                                      const uint8_t *x,
                                      uint8_t *result,
                                      size_t length);

/**
 * x^(2^n), by n mod k squares; n is public.
 *
 * # Safety
 * As monpro_field_add.
 */
monpro_status monpro_field_frobenius(const monpro_field *field,
                                     const uint8_t *x,
                                     size_t n,
                                     uint8_t *result,
                                     size_t length);

/**
 * x^exponent for a big-endian exponent, in time that depends on its length, not on its value; x^0 = 1.
 *
 * # Safety
 * As monpro_field_add; the bytes of exponent can be read.
 */
monpro_status monpro_field_pow(const monpro_field *field,
                               const uint8_t *x,
                               const uint8_t *exponent,
                               size_t exponent_length,
                               uint8_t *result,
                               size_t length);

/**
 * monpro_field_pow for public exponents: faster, in a time that depends on the exponent.
 *
 * # Safety
 * As monpro_field_pow.
 */
monpro_status monpro_field_pow_vartime(const monpro_field *field,
                                       const uint8_t *x,
                                       const uint8_t *exponent,
                                       size_t exponent_length,
                                       uint8_t *result,
                                       size_t length);

/**
 * The trace of x, the sum of x^(2^i) for i from 0 to k - 1: *trace is set to 0 or 1 if the status is MONPRO_STATUS_OK.
 *
 * # Safety
 * The field is one of this library that has not been freed, or null. length bytes at x can be read; trace is null or
 * can be written.
 */
monpro_status monpro_field_trace(const monpro_field *field,
                                 const uint8_t *x,
                                 size_t length,
                                 int *trace);

/**
 * x₁·y₁ + … + x_count·y_count, with one reduction for the whole sum. The count elements of x lie one after the other,
 * and so do those of y; length is that of one element, and of the result.
 *
 * # Safety
 * The field is one of this library that has not been freed, or null. count·length bytes at x and y can be read, and
 * length bytes at result can be written.
 */
monpro_status monpro_field_dot(const monpro_field *field,
                               const uint8_t *x,
                               const uint8_t *y,
                               size_t count,
                               uint8_t *result,
                               size_t length);

/**
 * The inverses of count elements that lie one after the other, by one inversion and three products for each.
 * MONPRO_STATUS_NOT_INVERTIBLE if any element is 0: then nothing is written. length is that of one element; as many
 * bytes are written as read.
 *
 * # Safety
 * The field is one of this library that has not been freed, or null. count·length bytes at x can be read, and at
 * result written.
 */
monpro_status monpro_field_batch_inverse(const monpro_field *field,
                                         const uint8_t *x,
                                         size_t count,
                                         uint8_t *result,
                                         size_t length);

/**
 * Makes the table of a base modulo n for exponents of at most exponent_bits bits, which are at most 2^20. The base may
 * be any number and is secret; exponent_bits is public. The table has up to 256 numbers as long as n, and takes about
 * as long to make as one power. From 1024 bits up, a power then takes about a quarter of the time of monpro_pow.
 *
 * *fixed_base is set in every case, to null if the status is not MONPRO_STATUS_OK; MONPRO_STATUS_EXPONENT_TOO_LONG
 * tells of more than 2^20 bits. The modulus may be freed before the table.
 *
 * # Safety
 * The modulus is one of monpro_modulus_new that has not been freed, or null. The bytes of base can be read;
 * fixed_base is null or can be written.
 */
monpro_status monpro_fixed_base_new(const monpro_modulus *modulus,
                                    const uint8_t *base,
                                    size_t base_length,
                                    size_t exponent_bits,
                                    monpro_fixed_base **fixed_base);

/**
 * Erases and frees a table; null is ignored.
 *
 * # Safety
 * The table is null, or is one of monpro_fixed_base_new that has not been freed and is not in use.
 */
void monpro_fixed_base_free(monpro_fixed_base *fixed_base);

/**
 * base^exponent mod n for the base of the table, in time that depends on lengths alone. The exponent may have leading
 * zeros; MONPRO_STATUS_EXPONENT_TOO_LONG tells that it has more bits than the table is for.
 *
 * result_length must be what monpro_modulus_bytes returns for the modulus; the result has leading zeros. It may overlap
 * the exponent, and is written only if the status is MONPRO_STATUS_OK.
 *
 * # Safety
 * The table is one of monpro_fixed_base_new that has not been freed, or null. The bytes of exponent can be read, and
 * the bytes of result can be written.
 */
monpro_status monpro_fixed_base_pow(const monpro_fixed_base *fixed_base,
                                    const uint8_t *exponent,
                                    size_t exponent_length,
                                    uint8_t *result,
                                    size_t result_length);

/**
 * The name of the group at this place of the list, from 0 on; null after the last one. It lives as long as the
 * program.
 */
const char *monpro_group_name(size_t place);

/**
 * Makes the group of this name: modp2048 to modp8192 of RFC 3526, ffdhe2048 to ffdhe8192 of RFC 7919. *group is set
 * in every case, to null if the status is not MONPRO_STATUS_OK.
 *
 * # Safety
 * name is null or a string, group is null or can be written.
 */
monpro_status monpro_group_named(const char *name,
                                 monpro_group **group);

/**
 * Makes the group of the powers of g modulo a prime p of at most 2^14 bits; order is the order of g, or null with the
 * length 0 where it is not known. The caller vouches that p is prime and that the order is that of g. Without the order
 * a peer's value is refused only if it is 0, 1 or p - 1; p should then be a safe prime.
 *
 * *group is set in every case, to null if the status is not MONPRO_STATUS_OK. MONPRO_STATUS_UNUSABLE_GROUP tells that p
 * is even, below 5 or too long, that g is 0, 1, p - 1 or not below p, or that g^order is not 1.
 *
 * # Safety
 * The bytes of p, g and order can be read, group is null or can be written.
 */
monpro_status monpro_group_integers(const uint8_t *p,
                                    size_t p_length,
                                    const uint8_t *g,
                                    size_t g_length,
                                    const uint8_t *order,
                                    size_t order_length,
                                    monpro_group **group);

/**
 * Makes the group of the powers of an element g of GF(2^k); order is the order of g, or null with the length 0 where it
 * is not known. Discrete logarithms in such groups are easy to find, whatever k is: secrets that matter must not rest
 * on one.
 *
 * *group is set in every case, to null if the status is not MONPRO_STATUS_OK. MONPRO_STATUS_UNUSABLE_GROUP tells that g
 * is 0 or 1, or that g^order is not 1.
 *
 * # Safety
 * The field is one of this library that has not been freed, or null. The bytes of g and order can be read; group is null
 * or can be written.
 */
monpro_status monpro_group_binary_field(const monpro_field *field,
                                        const uint8_t *g,
                                        size_t g_length,
                                        const uint8_t *order,
                                        size_t order_length,
                                        monpro_group **group);

/**
 * Frees a group; null is ignored. Its keys stay.
 *
 * # Safety
 * The group is null, or is one of this library that has not been freed and is not in use.
 */
void monpro_group_free(monpro_group *group);

/**
 * The number of bytes of a public value and of a secret. 0 for null.
 *
 * # Safety
 * The group is null, or is one of this library that has not been freed.
 */
size_t monpro_group_bytes(const monpro_group *group);

/**
 * The number of random bytes that a private key needs: for a named group the length that RFC 7919 advises for its
 * strength, else the length of the order, else monpro_group_bytes. 0 for null.
 *
 * # Safety
 * The group is null, or is one of this library that has not been freed.
 */
size_t monpro_group_private_bytes(const monpro_group *group);

/**
 * Makes a private key of random bytes; null takes those of the system. *key is set in every case, to null if the status
 * is not MONPRO_STATUS_OK. The group may be freed before the key.
 *
 * # Safety
 * The group is one of this library that has not been freed, or null; random is null or a source; key is null or can be
 * written.
 */
monpro_status monpro_dh_key_generate(const monpro_group *group,
                                     const monpro_random *random,
                                     monpro_dh_key **key);

/**
 * Makes the private key with this exponent, big-endian, of monpro_group_private_bytes to monpro_group_bytes bytes.
 * *key is set in every case, to null if the status is not MONPRO_STATUS_OK. MONPRO_STATUS_DEGENERATE_PRIVATE_KEY tells
 * that the public value would be 1 or -1.
 *
 * # Safety
 * The group is one of this library that has not been freed, or null. The bytes of exponent can be read; key is null or
 * can be written.
 */
monpro_status monpro_dh_key_new(const monpro_group *group,
                                const uint8_t *exponent,
                                size_t exponent_length,
                                monpro_dh_key **key);

/**
 * Erases and frees a private key; null is ignored.
 *
 * # Safety
 * The key is null, or is one of this library that has not been freed and is not in use.
 */
void monpro_dh_key_free(monpro_dh_key *key);

/**
 * The number of bytes of the key's public value and of its secrets, which is that of its group. 0 for null.
 *
 * # Safety
 * The key is null, or is one of this library that has not been freed.
 */
size_t monpro_dh_key_bytes(const monpro_dh_key *key);

/**
 * Writes the public value, g^d for the private exponent d, which is to be sent to the peer. length must be what
 * monpro_dh_key_bytes returns.
 *
 * # Safety
 * The key is one of this library that has not been freed, or null; length bytes at value can be written.
 */
monpro_status monpro_dh_public_value(const monpro_dh_key *key,
                                     uint8_t *value,
                                     size_t length);

/**
 * Writes the secret that both sides share, y^d for the peer's public value y: an element of the group, and no key yet;
 * derive keys from it, for example by HKDF. Time does not depend on d or on the secret. peer_length and secret_length
 * must be what monpro_dh_key_bytes returns; the secret may overlap the peer's value.
 *
 * MONPRO_STATUS_PEER_REFUSED tells that y is not below the modulus, is 0, 1 or -1, is not in the group of the generator
 * where its order is known, or leads to the secret 0, 1 or -1. Then end the exchange.
 *
 * # Safety
 * The key is one of this library that has not been freed, or null. The bytes of peer can be read, and those of secret
 * can be written.
 */
monpro_status monpro_dh_agree(const monpro_dh_key *key,
                              const uint8_t *peer,
                              size_t peer_length,
                              uint8_t *secret,
                              size_t secret_length);

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
 * Erases and frees a modulus; null is ignored. Tables of fixed bases that were made with it stay.
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
 * x·y mod n. The numbers x and y may have any size; the time depends on their lengths alone.
 *
 * result_length must be what monpro_modulus_bytes returns; the result has leading zeros. It may overlap x and
 * y, and is written only if the status is MONPRO_STATUS_OK.
 *
 * # Safety
 * The modulus is one of monpro_modulus_new that has not been freed, or null. The bytes of x and y can be read,
 * and the bytes of result can be written.
 */
monpro_status monpro_mul(const monpro_modulus *modulus,
                         const uint8_t *x,
                         size_t x_length,
                         const uint8_t *y,
                         size_t y_length,
                         uint8_t *result,
                         size_t result_length);

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
 * monpro_pow for public numbers: faster, in a time that depends on the exponent.
 *
 * # Safety
 * As monpro_pow.
 */
monpro_status monpro_pow_vartime(const monpro_modulus *modulus,
                                 const uint8_t *base,
                                 size_t base_length,
                                 const uint8_t *exponent,
                                 size_t exponent_length,
                                 uint8_t *result,
                                 size_t result_length);

/**
 * base₁^exponent₁·base₂^exponent₂·… mod n over the count terms, with fewer squares than separate powers take. The
 * time depends on the number of terms and on the length of the longest exponent, not on the values. Without terms
 * the result is 1 mod n.
 *
 * result_length must be what monpro_modulus_bytes returns; the result has leading zeros. It may overlap all
 * inputs, and is written only if the status is MONPRO_STATUS_OK.
 *
 * # Safety
 * The modulus is one of monpro_modulus_new that has not been freed, or null. The count terms can be read, and so can
 * the bytes of each base and exponent; the bytes of result can be written.
 */
monpro_status monpro_multi_pow(const monpro_modulus *modulus,
                               const monpro_term *terms,
                               size_t count,
                               uint8_t *result,
                               size_t result_length);

/**
 * monpro_multi_pow for public numbers: faster, in a time that depends on the exponents.
 *
 * # Safety
 * As monpro_multi_pow.
 */
monpro_status monpro_multi_pow_vartime(const monpro_modulus *modulus,
                                       const monpro_term *terms,
                                       size_t count,
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

/**
 * For each of the tasks, the power modulo p·q by the powers modulo p and modulo q, several at a time if the CPU has
 * wide vectors. Time depends on the bit lengths of p and q and on the lengths of the other numbers. Nothing is blinded,
 * and faults of the machine are not detected; monpro_rsa_private_raw does both.
 *
 * If any task is refused, nothing is written, and the status is that of the first one refused:
 * MONPRO_STATUS_ZERO_MODULUS and MONPRO_STATUS_EVEN_MODULUS for p and q, MONPRO_STATUS_NOT_INVERTIBLE if q·q_inverse
 * is not 1 modulo p. The results may overlap all inputs, because they are written after the last power, in the order
 * of the tasks.
 *
 * # Safety
 * The count tasks can be read, and so can the bytes of all their numbers; p_length + q_length bytes at each result
 * can be written.
 */
monpro_status monpro_pow_crt_batch(const monpro_crt_task *tasks,
                                   size_t count);

/**
 * From now on, the long calls of this thread tell how far they are; nobody is told if it is null. The structure is
 * copied.
 *
 * monpro_pow_batch tells the number of powers done, and monpro_pow_crt_batch that of powers modulo p and modulo q, of
 * which each task has two. monpro_columns_compute and monpro_columns_rsa_private tell the number of rows done. monpro_rsa_private_generate tells the number of numbers tested for being prime; the total is
 * not known, but for a key of 2048 bits some 150 are to be expected. Other calls tell nothing.
 *
 * # Safety
 * progress is null or can be read. While this thread watches, its function may be called with the context.
 */
void monpro_progress_watch(const monpro_progress *progress);

/**
 * The name of the hash function at this place of the list, from 0 on; null after the last one. It lives as long as the
 * program.
 */
const char *monpro_hash_name(size_t place);

/**
 * Makes a key with a modulus of exactly so many bits and the public exponent 65537, as FIPS 186-5 says, from random
 * bytes; null takes those of the system. The bits are even and from 512 to 16384; a key of less than 2048 bits protects
 * nothing today. A key of 2048 bits takes about half a second, one of 16384 bits minutes: monpro_cancellation_watch
 * makes it possible to stop, and monpro_progress_watch tells how far it is.
 *
 * *key is set in every case, to null if the status is not MONPRO_STATUS_OK.
 *
 * # Safety
 * random is null or a source, key is null or can be written.
 */
monpro_status monpro_rsa_private_generate(size_t bits,
                                          const monpro_random *random,
                                          monpro_rsa_private **key);

/**
 * Makes a private key of its numbers. *key is set in every case, to null if the status is not MONPRO_STATUS_OK:
 * MONPRO_STATUS_UNSUPPORTED_KEY for n and e, MONPRO_STATUS_DAMAGED_KEY if the numbers do not belong together. If the
 * primes are computed from d, the time tells how many factors 2 divide e·d - 1.
 *
 * # Safety
 * The numbers are null or can be read, and so can their bytes; key is null or can be written.
 */
monpro_status monpro_rsa_private_new(const monpro_rsa_numbers *numbers,
                                     monpro_rsa_private **key);

/**
 * Erases and frees a private key; null is ignored.
 *
 * # Safety
 * The key is null, or is one of this library that has not been freed and is not in use.
 */
void monpro_rsa_private_free(monpro_rsa_private *key);

/**
 * The number of bytes of the modulus, which signatures and ciphertexts have too. 0 for null.
 *
 * # Safety
 * The key is null, or is one of this library that has not been freed.
 */
size_t monpro_rsa_private_bytes(const monpro_rsa_private *key);

/**
 * c^d mod n for a number c below n, without any padding; both have monpro_rsa_private_bytes bytes. The computation is
 * blinded by random bytes, null takes those of the system, and its result is checked. The result may overlap c.
 * MONPRO_STATUS_NOT_REDUCED tells that c is not below n.
 *
 * # Safety
 * The key is one of this library that has not been freed, or null; random is null or a source. length bytes at c can be
 * read, and at result written.
 */
monpro_status monpro_rsa_private_raw(const monpro_rsa_private *key,
                                     const uint8_t *c,
                                     const monpro_random *random,
                                     uint8_t *result,
                                     size_t length);

/**
 * Makes the public half of a key. *public_key is set in every case, to null if the status is not MONPRO_STATUS_OK. The
 * halves are freed apart, in any order.
 *
 * # Safety
 * The key is one of this library that has not been freed, or null; public_key is null or can be written.
 */
monpro_status monpro_rsa_public_of(const monpro_rsa_private *key,
                                   monpro_rsa_public **public_key);

/**
 * Makes the public key of a modulus n and an exponent e, big-endian. *key is set in every case, to null if the status
 * is not MONPRO_STATUS_OK; MONPRO_STATUS_UNSUPPORTED_KEY tells that n is even or not of 512 to 16384 bits, or that e is
 * even, below 3, or longer than 256 bits.
 *
 * # Safety
 * The bytes of n and e can be read, key is null or can be written.
 */
monpro_status monpro_rsa_public_new(const uint8_t *n,
                                    size_t n_length,
                                    const uint8_t *e,
                                    size_t e_length,
                                    monpro_rsa_public **key);

/**
 * Frees a public key; null is ignored.
 *
 * # Safety
 * The key is null, or is one of this library that has not been freed and is not in use.
 */
void monpro_rsa_public_free(monpro_rsa_public *key);

/**
 * The length of the modulus in bits. 0 for null.
 *
 * # Safety
 * The key is null, or is one of this library that has not been freed.
 */
size_t monpro_rsa_public_bits(const monpro_rsa_public *key);

/**
 * The number of bytes of the modulus, which signatures and ciphertexts have too. 0 for null.
 *
 * # Safety
 * The key is null, or is one of this library that has not been freed.
 */
size_t monpro_rsa_public_bytes(const monpro_rsa_public *key);

/**
 * Writes the modulus, big-endian. length must be what monpro_rsa_public_bytes returns.
 *
 * # Safety
 * The key is one of this library that has not been freed, or null; length bytes at modulus can be written.
 */
monpro_status monpro_rsa_public_modulus(const monpro_rsa_public *key, uint8_t *modulus, size_t length);

/**
 * Writes the public exponent, big-endian, without leading zeros; it has at most 32 bytes. *length is set to its length
 * if there is a key; if capacity is smaller, the status is MONPRO_STATUS_SPACE_TOO_SHORT.
 *
 * # Safety
 * The key is one of this library that has not been freed, or null. capacity bytes at exponent can be written; length is
 * null or can be written.
 */
monpro_status monpro_rsa_public_exponent(const monpro_rsa_public *key,
                                         uint8_t *exponent,
                                         size_t capacity,
                                         size_t *length);

/**
 * m^e mod n for a number m below n, without any padding; both have monpro_rsa_public_bytes bytes. The time depends on e,
 * not on m. The result may overlap m. MONPRO_STATUS_NOT_REDUCED tells that m is not below n.
 *
 * # Safety
 * The key is one of this library that has not been freed, or null. length bytes at m can be read, and at result written.
 */
monpro_status monpro_rsa_public_raw(const monpro_rsa_public *key,
                                    const uint8_t *m,
                                    uint8_t *result,
                                    size_t length);

/**
 * Reads a private key in PEM, of PKCS#8 or PKCS#1. The document has length bytes; a 0 at its end does not count.
 *
 * *key is set in every case, to null if the status is not MONPRO_STATUS_OK: MONPRO_STATUS_NOT_A_KEY,
 * MONPRO_STATUS_OTHER_ALGORITHM, MONPRO_STATUS_UNSUPPORTED_KEY, MONPRO_STATUS_DAMAGED_KEY.
 *
 * # Safety
 * The length bytes at pem can be read, key is null or can be written.
 */
monpro_status monpro_rsa_private_from_pem(const char *pem,
                                          size_t length,
                                          monpro_rsa_private **key);

/**
 * Reads a private key in DER, of PKCS#8 or PKCS#1; otherwise as monpro_rsa_private_from_pem.
 *
 * # Safety
 * The length bytes at der can be read, key is null or can be written.
 */
monpro_status monpro_rsa_private_from_der(const uint8_t *der, size_t length, monpro_rsa_private **key);

/**
 * Reads a private key in PEM or DER, whichever it is: as monpro_rsa_private_from_pem, and encrypted PKCS#8 (PBES2) with
 * the passphrase. A null passphrase is none. MONPRO_STATUS_PASSPHRASE_NEEDED and MONPRO_STATUS_WRONG_PASSPHRASE tell of
 * encrypted documents. What an encrypted document may cost is bounded: 10,000,000 iterations of PBKDF2, or 128 MiB of
 * scrypt.
 *
 * # Safety
 * The bytes of document and passphrase can be read, key is null or can be written.
 */
monpro_status monpro_rsa_private_load(const uint8_t *document,
                                      size_t length,
                                      const uint8_t *passphrase,
                                      size_t passphrase_length,
                                      monpro_rsa_private **key);

/**
 * Reads a public key in PEM or DER, whichever it is: SubjectPublicKeyInfo, PKCS#1, an X.509 certificate, which is not
 * checked, or the public half of a private key, with its passphrase if it is encrypted. Otherwise as
 * monpro_rsa_private_load.
 *
 * # Safety
 * The bytes of document and passphrase can be read, key is null or can be written.
 */
monpro_status monpro_rsa_public_load(const uint8_t *document,
                                     size_t length,
                                     const uint8_t *passphrase,
                                     size_t passphrase_length,
                                     monpro_rsa_public **key);

/**
 * Writes the key as encrypted PKCS#8 in PEM, with a 0 at its end that does not count: by AES-256 in CBC mode, with
 * 600,000 iterations of PBKDF2, which take a good part of a second, and HMAC-SHA-256. Salt and initial value are random;
 * null takes the system's source. *length is set as by monpro_rsa_private_to_pem; 16384 bytes suffice for every key.
 * MONPRO_STATUS_EMPTY_PASSPHRASE tells that the passphrase is empty.
 *
 * # Safety
 * The key is one of this library that has not been freed, or null; random is null or a source. The bytes of passphrase
 * can be read, and capacity bytes at pem can be written; length is null or can be written.
 */
monpro_status monpro_rsa_private_to_encrypted_pem(const monpro_rsa_private *key,
                                                  const uint8_t *passphrase,
                                                  size_t passphrase_length,
                                                  const monpro_random *random,
                                                  char *pem,
                                                  size_t capacity,
                                                  size_t *length);

/**
 * Writes the key as PKCS#8 in PEM, with a 0 at its end that does not count. *length is set to the length of the
 * document if there is a key; if capacity is not larger, the status is MONPRO_STATUS_SPACE_TOO_SHORT. The document is
 * secret: erase it after use.
 *
 * # Safety
 * The key is one of this library that has not been freed, or null. capacity bytes at pem can be written; length is null
 * or can be written.
 */
monpro_status monpro_rsa_private_to_pem(const monpro_rsa_private *key,
                                        char *pem,
                                        size_t capacity,
                                        size_t *length);

/**
 * Writes the key as PKCS#8 in DER. *length is set to the length of the document if there is a key; if capacity is
 * smaller, the status is MONPRO_STATUS_SPACE_TOO_SHORT. The document is secret: erase it after use.
 *
 * # Safety
 * The key is one of this library that has not been freed, or null. capacity bytes at der can be written; length is null
 * or can be written.
 */
monpro_status monpro_rsa_private_to_der(const monpro_rsa_private *key,
                                        uint8_t *der,
                                        size_t capacity,
                                        size_t *length);

/**
 * Reads a public key in PEM: SubjectPublicKeyInfo, PKCS#1, or the public half of a private key. Otherwise as
 * monpro_rsa_private_from_pem.
 *
 * # Safety
 * The length bytes at pem can be read, key is null or can be written.
 */
monpro_status monpro_rsa_public_from_pem(const char *pem, size_t length, monpro_rsa_public **key);

/**
 * Reads a public key in DER: SubjectPublicKeyInfo or PKCS#1. Otherwise as monpro_rsa_private_from_pem.
 *
 * # Safety
 * The length bytes at der can be read, key is null or can be written.
 */
monpro_status monpro_rsa_public_from_der(const uint8_t *der, size_t length, monpro_rsa_public **key);

/**
 * Writes the key as SubjectPublicKeyInfo in PEM; otherwise as monpro_rsa_private_to_pem, but the document is public.
 *
 * # Safety
 * As monpro_rsa_private_to_pem.
 */
monpro_status monpro_rsa_public_to_pem(const monpro_rsa_public *key,
                                       char *pem,
                                       size_t capacity,
                                       size_t *length);

/**
 * Writes the key as SubjectPublicKeyInfo in DER; otherwise as monpro_rsa_private_to_der, but the document is public.
 *
 * # Safety
 * As monpro_rsa_private_to_der.
 */
monpro_status monpro_rsa_public_to_der(const monpro_rsa_public *key,
                                       uint8_t *der,
                                       size_t capacity,
                                       size_t *length);

/**
 * Encrypts a message by RSAES-OAEP. ciphertext_length must be what monpro_rsa_public_bytes returns. The seed is random;
 * null takes the system's source. The ciphertext may overlap the message. MONPRO_STATUS_MESSAGE_TOO_LONG tells that the
 * message has more bytes than the modulus, less two hashes and 2.
 *
 * # Safety
 * The key is one of this library that has not been freed, or null. The parameters are null or can be read, with names
 * that are null or strings, and with a label that can be read; random is null or a source. The bytes of message can be
 * read, those of ciphertext written.
 */
monpro_status monpro_rsa_encrypt_oaep(const monpro_rsa_public *key,
                                      const monpro_oaep *parameters,
                                      const uint8_t *message,
                                      size_t message_length,
                                      const monpro_random *random,
                                      uint8_t *ciphertext,
                                      size_t ciphertext_length);

/**
 * Encrypts a message by RSAES-PKCS1-v1_5, for peers that support nothing better. The message has at most 11 bytes less
 * than the modulus. Otherwise as monpro_rsa_encrypt_oaep.
 *
 * # Safety
 * As monpro_rsa_encrypt_oaep.
 */
monpro_status monpro_rsa_encrypt_pkcs1(const monpro_rsa_public *key,
                                       const uint8_t *message,
                                       size_t message_length,
                                       const monpro_random *random,
                                       uint8_t *ciphertext,
                                       size_t ciphertext_length);

/**
 * Decrypts a ciphertext of RSAES-OAEP. capacity must be at least what monpro_rsa_private_bytes returns, whatever the
 * length of the message; *message_length is set to that length if the status is MONPRO_STATUS_OK, else to 0. The
 * computation is blinded by random bytes; null takes those of the system. The message may overlap the ciphertext.
 *
 * MONPRO_STATUS_DECRYPTION tells that it is no ciphertext of this key with these parameters, and not why.
 *
 * # Safety
 * The key is one of this library that has not been freed, or null. The parameters are as for monpro_rsa_encrypt_oaep;
 * random is null or a source. The bytes of ciphertext can be read, and capacity bytes at message can be written;
 * message_length is null or can be written.
 */
monpro_status monpro_rsa_decrypt_oaep(const monpro_rsa_private *key,
                                      const monpro_oaep *parameters,
                                      const uint8_t *ciphertext,
                                      size_t ciphertext_length,
                                      const monpro_random *random,
                                      uint8_t *message,
                                      size_t capacity,
                                      size_t *message_length);

/**
 * Decrypts a ciphertext of RSAES-PKCS1-v1_5. A malformed one decrypts to a message that key and ciphertext determine, so
 * that nobody who sends ciphertexts learns which are malformed; MONPRO_STATUS_DECRYPTION tells of a wrong length, and of
 * a number that is not below the modulus. Otherwise as monpro_rsa_decrypt_oaep.
 *
 * # Safety
 * As monpro_rsa_decrypt_oaep.
 */
monpro_status monpro_rsa_decrypt_pkcs1(const monpro_rsa_private *key,
                                       const uint8_t *ciphertext,
                                       size_t ciphertext_length,
                                       const monpro_random *random,
                                       uint8_t *message,
                                       size_t capacity,
                                       size_t *message_length);

/**
 * Signs a message by RSASSA-PSS. signature_length must be what monpro_rsa_private_bytes returns. Salt and blinding are
 * random; null takes the system's source. The signature may overlap the message.
 *
 * The status may be MONPRO_STATUS_WEAK_HASH for sha1, MONPRO_STATUS_KEY_TOO_SHORT, MONPRO_STATUS_UNKNOWN_HASH,
 * MONPRO_STATUS_RANDOM_SOURCE, MONPRO_STATUS_FAULT; then nothing is written.
 *
 * # Safety
 * The key is one of this library that has not been freed, or null. The parameters are null or can be read, with names
 * that are null or strings; random is null or a source. The bytes of message can be read, those of signature written.
 */
monpro_status monpro_rsa_sign_pss(const monpro_rsa_private *key,
                                  const monpro_pss *parameters,
                                  const uint8_t *message,
                                  size_t message_length,
                                  const monpro_random *random,
                                  uint8_t *signature,
                                  size_t signature_length);

/**
 * Signs a message by RSASSA-PKCS1-v1_5 with the hash function of this name; null is sha256. The signature does not
 * depend on the random bytes, which blind the computation. Otherwise as monpro_rsa_sign_pss.
 *
 * # Safety
 * As monpro_rsa_sign_pss; hash is null or a string.
 */
monpro_status monpro_rsa_sign_pkcs1(const monpro_rsa_private *key,
                                    const char *hash,
                                    const uint8_t *message,
                                    size_t message_length,
                                    const monpro_random *random,
                                    uint8_t *signature,
                                    size_t signature_length);

/**
 * Verifies a signature of RSASSA-PSS: MONPRO_STATUS_OK if it is one of this message by this key with these parameters,
 * MONPRO_STATUS_BAD_SIGNATURE if not. Every other status tells that nothing was verified: compare with
 * MONPRO_STATUS_OK, which is 0.
 *
 * # Safety
 * The key is one of this library that has not been freed, or null. The parameters are null or can be read, with names
 * that are null or strings. The bytes of message and signature can be read.
 */
MONPRO_MUST_USE
monpro_status monpro_rsa_verify_pss(const monpro_rsa_public *key,
                                    const monpro_pss *parameters,
                                    const uint8_t *message,
                                    size_t message_length,
                                    const uint8_t *signature,
                                    size_t signature_length);

/**
 * Verifies a signature of RSASSA-PKCS1-v1_5 with the hash function of this name; null is sha256. Otherwise as
 * monpro_rsa_verify_pss.
 *
 * # Safety
 * As monpro_rsa_verify_pss; hash is null or a string.
 */
MONPRO_MUST_USE
monpro_status monpro_rsa_verify_pkcs1(const monpro_rsa_public *key,
                                      const char *hash,
                                      const uint8_t *message,
                                      size_t message_length,
                                      const uint8_t *signature,
                                      size_t signature_length);

/**
 * monpro_rsa_sign_pss of the message with this hash, by the hash function of the parameters, for messages that are hashed
 * piece by piece. MONPRO_STATUS_WRONG_LENGTH tells that the hash has another length than those of the function.
 *
 * # Safety
 * As monpro_rsa_sign_pss; the bytes of hash can be read.
 */
monpro_status monpro_rsa_sign_pss_prehashed(const monpro_rsa_private *key,
                                            const monpro_pss *parameters,
                                            const uint8_t *hash,
                                            size_t hash_length,
                                            const monpro_random *random,
                                            uint8_t *signature,
                                            size_t signature_length);

/**
 * monpro_rsa_sign_pkcs1 of the message with this hash, by the hash function of this name; otherwise as
 * monpro_rsa_sign_pss_prehashed.
 *
 * # Safety
 * As monpro_rsa_sign_pss_prehashed; name is null or a string.
 */
monpro_status monpro_rsa_sign_pkcs1_prehashed(const monpro_rsa_private *key,
                                              const char *name,
                                              const uint8_t *hash,
                                              size_t hash_length,
                                              const monpro_random *random,
                                              uint8_t *signature,
                                              size_t signature_length);

/**
 * monpro_rsa_verify_pss of the message with this hash; MONPRO_STATUS_WRONG_LENGTH as monpro_rsa_sign_pss_prehashed.
 *
 * # Safety
 * As monpro_rsa_verify_pss; the bytes of hash can be read.
 */
MONPRO_MUST_USE
monpro_status monpro_rsa_verify_pss_prehashed(const monpro_rsa_public *key,
                                              const monpro_pss *parameters,
                                              const uint8_t *hash,
                                              size_t hash_length,
                                              const uint8_t *signature,
                                              size_t signature_length);

/**
 * monpro_rsa_verify_pkcs1 of the message with this hash, by the hash function of this name; otherwise as
 * monpro_rsa_verify_pss_prehashed.
 *
 * # Safety
 * As monpro_rsa_verify_pss_prehashed; name is null or a string.
 */
MONPRO_MUST_USE
monpro_status monpro_rsa_verify_pkcs1_prehashed(const monpro_rsa_public *key,
                                                const char *name,
                                                const uint8_t *hash,
                                                size_t hash_length,
                                                const uint8_t *signature,
                                                size_t signature_length);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MONPRO_H */
