//! Primes, and what is computed modulo primes: for public numbers, in a time that depends on them.
//!
//! ```
//! use monpro::number_theory::{is_prime_vartime, next_prime_vartime, sqrt_vartime};
//!
//! assert!(is_prime_vartime(&[u64::MAX, u64::MAX >> 1])); // 2^127 − 1
//! assert_eq!(next_prime_vartime(&[100]), [101]);
//! assert_eq!(sqrt_vartime(&[5], &[101])?, [45]); // 45² = 20·101 + 5
//! # Ok::<(), monpro::Error>(())
//! ```

mod jacobi;
mod lucas;
mod next_prime;
mod primality;
mod small_primes;
mod square_root;

pub use jacobi::jacobi_vartime;
pub use next_prime::{next_prime_vartime, previous_prime_vartime};
pub use primality::is_prime_vartime;
#[cfg(feature = "columns")]
pub(crate) use primality::small_verdict;
pub use square_root::sqrt_vartime;
