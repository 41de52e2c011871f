//! The classes Modulus and Residue, and the function pow.

use crate::convert::{
    self, Integer, Number, Words, integer, method, natural, positive, to_big, type_name, value_error,
};
use crate::kernel::{PyKernel, by_name};
use crate::long::{power_work, run, slowness};
use monpro::cancellation::checkpoint;
use monpro::ring::RingName;
use monpro::{Error, Kernel, Method, Modulus, Residue};
use num_bigint::{BigInt, BigUint};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use zeroize::Zeroizing;

/// An odd modulus n ≥ 1 and the kernel that computes with it.
#[pyclass(name = "Modulus", module = "monpro", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct PyModulus(pub(crate) Modulus);

#[pymethods]
impl PyModulus {
    #[new]
    #[pyo3(signature = (n, *, ring = None, kernel = None))]
    fn new(
        py: Python<'_>,
        n: &Bound<'_, PyAny>,
        ring: Option<&str>,
        kernel: Option<&str>,
    ) -> PyResult<PyModulus> {
        let n = positive(n, "the modulus n")?;
        let (ring, kernel) = (ring.map(convert::ring).transpose()?, kernel.map(by_name).transpose()?);
        let ring_of_n = kernel.map_or(ring.unwrap_or(RingName::Integers), |kernel| kernel.ring);
        let modulus =
            run(py, power_work(0, 0, n.len()) * kernel.map_or(1, slowness), move || match (kernel, ring) {
                (None, None | Some(RingName::Integers)) => Modulus::new(&n),
                (None, Some(RingName::BinaryPolynomials)) => Modulus::of_polynomial(&n),
                (Some(kernel), Some(wanted)) if kernel.ring != wanted => {
                    Err(Error::WrongRing { kernel: kernel.name, wanted })
                }
                (Some(kernel), _) => Modulus::with_kernel(kernel, &n),
            })?;
        modulus.map(PyModulus).map_err(|error| match (error, ring_of_n) {
            (Error::EvenModulus, RingName::BinaryPolynomials) => PyValueError::new_err(
                "the polynomial has no term 1, so that x divides it: Montgomery form needs a polynomial with it",
            ),
            (error, _) => value_error(error),
        })
    }

    /// The modulus.
    #[getter]
    fn n(&self) -> Number {
        Number::new(self.0.number().to_vec())
    }

    /// The kernel that computes the products.
    #[getter]
    fn kernel(&self) -> PyKernel {
        PyKernel(self.0.kernel())
    }

    /// The number of words of n in the kernel's radix.
    #[getter]
    fn s(&self) -> usize {
        self.0.s()
    }

    /// R = 2^(radix_bits·s), or 1 for a kernel of plain products x·y mod n.
    #[getter]
    fn r(&self) -> Number {
        let exponent = self.0.r_exponent();
        let mut r = vec![0; exponent / 64 + 1];
        r[exponent / 64] = 1 << (exponent % 64);
        Number::new(r)
    }

    /// The residue of x modulo n; over the integers x may be negative.
    fn __call__(&self, py: Python<'_>, x: &Bound<'_, PyAny>) -> PyResult<PyResidue> {
        if self.0.kernel().ring == RingName::BinaryPolynomials {
            let (x, modulus) = (natural(x, "x")?, self.0.clone());
            return run(py, self.work(x.len(), 0), move || modulus.residue(&x)).map(PyResidue);
        }
        let (Integer { is_negative, magnitude }, modulus) = (integer(x, "x")?, self.0.clone());
        let residue = run(py, self.work(magnitude.len(), 0), move || modulus.residue(&magnitude))?;
        Ok(PyResidue(if is_negative { -&residue } else { residue }))
    }

    /// The residue whose Montgomery form has these s words of radix_bits bits.
    fn residue_from_words(&self, words: &Bound<'_, PyAny>) -> PyResult<PyResidue> {
        let word = |word: PyResult<Bound<'_, PyAny>>| match natural(&word?, "a word")?[..] {
            [] => Ok(0),
            [word] => Ok(word),
            _ => Err(value_error(Error::NotReduced)),
        };
        let words: Words = Zeroizing::new(words.try_iter()?.map(word).collect::<PyResult<_>>()?);
        self.0.residue_from_words(&words).map(PyResidue).map_err(value_error)
    }

    /// xᵉ mod n.
    #[pyo3(signature = (x, e, *, method = "fixed_window"))]
    fn pow(
        &self,
        py: Python<'_>,
        x: &Bound<'_, PyAny>,
        e: &Bound<'_, PyAny>,
        method: &str,
    ) -> PyResult<Number> {
        self.__call__(py, x)?.power(py, e, method)?.to_integer(py)
    }

    /// The product of the powers xᵉ mod n over the terms (x, e), e ≥ 0, which share their squares.
    fn multi_pow(&self, py: Python<'_>, terms: &Bound<'_, PyAny>) -> PyResult<Number> {
        let term = |(i, term): (usize, PyResult<Bound<'_, PyAny>>)| {
            let term = term?;
            let pair = term.cast::<PyTuple>().ok().filter(|pair| pair.len() == 2).ok_or_else(|| {
                let line = format!("term {i}: give a pair (x, e), not {}", type_name(&term));
                PyTypeError::new_err(line)
            })?;
            let (x, e) = (pair.get_item(0)?, pair.get_item(1)?);
            Ok((self.__call__(py, &x)?.0, natural(&e, "an exponent")?))
        };
        let terms = terms.try_iter()?.enumerate().map(term).collect::<PyResult<Vec<_>>>()?;
        // The squares are shared. Beside them there is a product for every few bits of each exponent.
        let bits = |(_, e): &(_, Words)| 64 * e.len();
        let longest = terms.iter().map(bits).max().unwrap_or(0);
        let work = self.work(0, longest + terms.iter().map(bits).sum::<usize>() / 4);
        let modulus = self.0.clone();
        run(py, work, move || {
            let terms: Vec<_> = terms.iter().map(|(x, e)| (x, &e[..])).collect();
            Number::new(modulus.multi_pow(&terms).to_number())
        })
    }

    fn __repr__(&self) -> String {
        format!("<Modulus of {} bits, kernel {}>", self.0.bits(), self.0.kernel().name)
    }
}

impl PyModulus {
    /// The work of a power of x to e_bits bits.
    fn work(&self, x_words: usize, e_bits: usize) -> u128 {
        power_work(x_words, e_bits, self.0.number().len()) * slowness(self.0.kernel())
    }
}

/// xᵉ mod n for any n ≥ 1, odd or even; e may be negative if x has an inverse modulo n.
#[pyfunction]
#[pyo3(signature = (x, e, n, *, kernel = None, method = "fixed_window"))]
pub(crate) fn pow(
    py: Python<'_>,
    x: &Bound<'_, PyAny>,
    e: &Bound<'_, PyAny>,
    n: &Bound<'_, PyAny>,
    kernel: Option<&str>,
    method: &str,
) -> PyResult<Number> {
    let (x, e, n) = (integer(x, "the base x")?, integer(e, "the exponent e")?, positive(n, "the modulus n")?);
    let method = convert::method(method)?;
    let kernel = kernel.map(by_name).transpose()?;
    if let Some(kernel) = kernel.filter(|kernel| kernel.ring != RingName::Integers) {
        return Err(value_error(Error::WrongRing { kernel: kernel.name, wanted: RingName::Integers }));
    }
    let work = power_work(x.magnitude.len(), e.bits(), n.len()) * kernel.map_or(1, slowness);
    run(py, work, move || power(&x, &e, &n, kernel, method))?
}

fn power(
    x: &Integer,
    e: &Integer,
    n: &[u64],
    kernel: Option<&'static Kernel>,
    method: Method,
) -> PyResult<Number> {
    let with_kernel = |n: &[u64]| match kernel {
        None => Modulus::new(n),
        Some(kernel) => Modulus::with_kernel(kernel, n),
    };
    let inverse_or_positive = base(x, e, n)?;
    let x = inverse_or_positive.as_ref().unwrap_or(&x.magnitude);
    monpro::pow_with(method, x, &e.magnitude, n, with_kernel).map(Number::new).map_err(value_error)
}

/// The number ≥ 0 whose |e|-th power is xᵉ modulo n: x mod n if x is negative, x⁻¹ mod n if e is. None if it is x
/// itself.
pub(crate) fn base(x: &Integer, e: &Integer, n: &[u64]) -> PyResult<Option<Words>> {
    if !x.is_negative && !e.is_negative {
        return Ok(None);
    }
    let n = BigInt::from(to_big(n));
    let number = match e.is_negative {
        true => inverse_modulo(&x.to_big(), &n).ok_or_else(not_invertible)?,
        false => x.to_big().modpow(&BigInt::from(1), &n),
    };
    Ok(Some(Zeroizing::new(number.magnitude().to_u64_digits())))
}

/// x⁻¹ mod n for n ≥ 1, if x is prime to n, by Euclid's algorithm: a ≡ s·x and b ≡ t·x modulo n.
fn inverse_modulo(x: &BigInt, n: &BigInt) -> Option<BigInt> {
    let (mut a, mut b) = (n.clone(), x % n);
    let (mut s, mut t) = (BigInt::ZERO, BigInt::from(1));
    while b != BigInt::ZERO {
        checkpoint();
        let quotient = &a / &b;
        (a, b) = (b.clone(), a - &quotient * &b);
        (s, t) = (t.clone(), s - quotient * &t);
    }
    // Where x is negative, a may be −1.
    (a.magnitude() == &BigUint::from(1u32)).then(|| ((s * a) % n + n) % n)
}

/// x⁻¹ over the integers.
fn inverse(x: &Residue) -> PyResult<Residue> {
    let modulus = x.modulus();
    if modulus.kernel().ring == RingName::BinaryPolynomials {
        return Err(PyValueError::new_err("a negative exponent needs a kernel of the integers"));
    }
    let n = BigInt::from(to_big(modulus.number()));
    let x = BigInt::from(to_big(&Zeroizing::new(x.to_number())));
    let inverse = inverse_modulo(&x, &n).ok_or_else(not_invertible)?;
    Ok(modulus.residue(&Zeroizing::new(inverse.magnitude().to_u64_digits())))
}

/// The error for a base that has no inverse where the exponent is negative.
fn not_invertible() -> PyErr {
    PyValueError::new_err(
        "the exponent is negative and the base has no inverse modulo n: they share a factor",
    )
}

/// A value modulo n in Montgomery form.
#[pyclass(name = "Residue", module = "monpro", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct PyResidue(pub(crate) Residue);

impl PyResidue {
    pub(crate) fn to_integer(&self, py: Python<'_>) -> PyResult<Number> {
        let residue = self.0.clone();
        run(py, self.work(0), move || Number::new(residue.to_number()))
    }

    /// The work of a power to e_bits bits.
    fn work(&self, e_bits: usize) -> u128 {
        let modulus = self.0.modulus();
        power_work(0, e_bits, modulus.number().len()) * slowness(modulus.kernel())
    }

    /// xᵉ; for a negative e, the power of the inverse, which exists over the integers if x and n share no
    /// factor.
    pub(crate) fn power(&self, py: Python<'_>, e: &Bound<'_, PyAny>, name: &str) -> PyResult<PyResidue> {
        let method = method(name)?;
        let e = integer(e, "the exponent e")?;
        let (x, bits) = (self.0.clone(), e.bits());
        let power = run(py, self.work(bits), move || {
            let x = if e.is_negative { inverse(&x)? } else { x };
            Ok(match method {
                Method::BinaryVartime => x.pow_binary_vartime(&e.magnitude),
                Method::FixedWindow => x.pow_bounded(&e.magnitude, bits),
                Method::SlidingWindowVartime => x.pow_vartime(&e.magnitude),
            })
        })?;
        power.map(PyResidue)
    }

    fn check_same_modulus(&self, other: &PyResidue) -> PyResult<()> {
        if self.0.modulus() == other.0.modulus() {
            return Ok(());
        }
        Err(PyValueError::new_err("the residues have different moduli or kernels: they cannot be combined"))
    }
}

#[pymethods]
impl PyResidue {
    /// The modulus.
    #[getter]
    fn modulus(&self) -> PyModulus {
        PyModulus(self.0.modulus().clone())
    }

    /// The s words of the Montgomery form x·R mod n, lowest first.
    #[getter]
    fn words(&self) -> Vec<u64> {
        self.0.words()
    }

    fn __int__(&self, py: Python<'_>) -> PyResult<Number> {
        self.to_integer(py)
    }

    /// Whether the residue is not 0.
    fn __bool__(&self) -> bool {
        self.0 != self.0.modulus().zero()
    }

    fn __add__(&self, other: &PyResidue) -> PyResult<PyResidue> {
        self.check_same_modulus(other)?;
        Ok(PyResidue(&self.0 + &other.0))
    }

    fn __sub__(&self, other: &PyResidue) -> PyResult<PyResidue> {
        self.check_same_modulus(other)?;
        Ok(PyResidue(&self.0 - &other.0))
    }

    fn __mul__(&self, other: &PyResidue) -> PyResult<PyResidue> {
        self.check_same_modulus(other)?;
        Ok(PyResidue(&self.0 * &other.0))
    }

    fn __neg__(&self) -> PyResidue {
        PyResidue(-&self.0)
    }

    fn __pow__(
        &self,
        py: Python<'_>,
        e: &Bound<'_, PyAny>,
        modulo: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyResidue> {
        match modulo {
            None => self.power(py, e, "fixed_window"),
            Some(_) => Err(PyValueError::new_err("a residue has its modulus: write x ** e")),
        }
    }

    fn __repr__(&self) -> String {
        let modulus = self.0.modulus();
        format!("<Residue modulo {} bits, kernel {}>", modulus.bits(), modulus.kernel().name)
    }
}
