//! The class Modulus, and the function pow.

use crate::convert::{
    self, Integer, Number, Words, abbreviated, integer, natural, not_invertible, pair, positive, value_error,
};
use crate::euclid::inverse_modulo;
use crate::kernel::{PyKernel, by_name};
use crate::long::{power_work, run, slowness};
use crate::residue::PyResidue;
use monpro::ring::RingName;
use monpro::{Error, Kernel, Method, Modulus};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use zeroize::Zeroizing;

/// An odd modulus n ≥ 1 and the kernel that computes with it: modulus(x) is the residue of x.
///
/// Two moduli are equal if n and kernel are. Over GF(2)[x], with ring="gf2", bit i of n and x is the coefficient of xⁱ.
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
        self.residue(py, x, "x")
    }

    /// The residue whose Montgomery form has these s words of radix_bits bits.
    fn residue_from_words(&self, words: &Bound<'_, PyAny>) -> PyResult<PyResidue> {
        let word = |word: PyResult<Bound<'_, PyAny>>| match natural(&word?, "a word")?[..] {
            [] => Ok(0),
            [word] => Ok(word),
            _ => Err(value_error(Error::NotReduced)),
        };
        // A vector that never grows leaves no copies behind.
        let s = self.0.s();
        let mut given: Words = Zeroizing::new(Vec::with_capacity(s));
        for next in words.try_iter()? {
            if given.len() == s {
                let message = format!("more words given: a residue of this modulus has exactly {s}");
                return Err(PyValueError::new_err(message));
            }
            given.push(word(next)?);
        }
        self.0.residue_from_words(&given).map(PyResidue).map_err(value_error)
    }

    /// baseᵉ mod n for e = exp; it may be negative if base has an inverse modulo n.
    #[pyo3(signature = (base, exp, *, method = "fixed_window"))]
    fn pow(
        &self,
        py: Python<'_>,
        base: &Bound<'_, PyAny>,
        exp: &Bound<'_, PyAny>,
        method: &str,
    ) -> PyResult<Number> {
        self.residue(py, base, "the base")?.power(py, exp, method)?.to_integer(py)
    }

    /// The product of the powers baseᵉ mod n over the pairs (base, e) with e ≥ 0, which share their squares.
    fn multi_pow(&self, py: Python<'_>, pairs: &Bound<'_, PyAny>) -> PyResult<Number> {
        let term = |(i, value): (usize, PyResult<Bound<'_, PyAny>>)| {
            let (base, exp) = pair(&value?, i)?;
            Ok((self.residue(py, &base, "a base")?.0, natural(&exp, "an exponent")?))
        };
        let terms = pairs.try_iter()?.enumerate().map(term).collect::<PyResult<Vec<_>>>()?;
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

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.0.number(), self.0.kernel().name).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let (bits, kernel) = (self.0.bits(), self.0.kernel());
        let x = match kernel.ring {
            RingName::Integers => "",
            RingName::BinaryPolynomials => " over GF(2)[x]",
        };
        format!("<Modulus {}{x} of {bits} bits, kernel {}>", abbreviated(self.0.number()), kernel.name)
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    /// The class, with n. The kernel is kept unless it is the one that would be chosen: a pickle may be read on another
    /// CPU.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Number,))> {
        let (py, modulus) = (slf.py(), &slf.get().0);
        let (kernel, options) = (modulus.kernel(), PyDict::new(py));
        if !std::ptr::eq(kernel, Kernel::fastest(kernel.ring, modulus.number())) {
            options.set_item(intern!(py, "kernel"), kernel.name)?;
        } else if kernel.ring == RingName::BinaryPolynomials {
            options.set_item(intern!(py, "ring"), kernel.ring.to_string())?;
        }
        let class = slf.get_type().into_any();
        let make = match options.is_empty() {
            true => class,
            false => py.import("functools")?.getattr("partial")?.call((class,), Some(&options))?,
        };
        Ok((make, (Number::new(modulus.number().to_vec()),)))
    }
}

impl PyModulus {
    /// The residue of x, which error messages call `name`.
    pub(crate) fn residue(&self, py: Python<'_>, x: &Bound<'_, PyAny>, name: &str) -> PyResult<PyResidue> {
        match x.cast_exact::<PyResidue>() {
            Ok(x) if x.get().0.modulus() == &self.0 => return Ok(PyResidue(x.get().0.clone())),
            _ => {}
        }
        if self.0.kernel().ring == RingName::BinaryPolynomials {
            let (x, modulus) = (natural(x, name)?, self.0.clone());
            return run(py, self.work(x.len(), 0), move || modulus.residue(&x)).map(PyResidue);
        }
        let (Integer { is_negative, magnitude }, modulus) = (integer(x, name)?, self.0.clone());
        let residue = run(py, self.work(magnitude.len(), 0), move || modulus.residue(&magnitude))?;
        Ok(PyResidue(if is_negative { -&residue } else { residue }))
    }

    /// The work of a power of x to e_bits bits.
    fn work(&self, x_words: usize, e_bits: usize) -> u128 {
        power_work(x_words, e_bits, self.0.number().len()) * slowness(self.0.kernel())
    }
}

/// baseᵉ mod n for e = exp and n = mod ≥ 1, odd or even; e may be negative if base has an inverse modulo n.
#[pyfunction]
#[pyo3(signature = (base, exp, r#mod, *, kernel = None, method = "fixed_window"))]
pub(crate) fn pow(
    py: Python<'_>,
    base: &Bound<'_, PyAny>,
    exp: &Bound<'_, PyAny>,
    r#mod: &Bound<'_, PyAny>,
    kernel: Option<&str>,
    method: &str,
) -> PyResult<Number> {
    let (x, e) = (integer(base, "the base")?, integer(exp, "the exponent")?);
    let n = positive(r#mod, "the modulus")?;
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
    // −1 is the only negative exponent of a bit, and the length of the exponent is public.
    if let (Some(inverse), true, 1, None) = (&inverse_or_positive, e.is_negative, e.bits(), kernel) {
        return Ok(Number(inverse.clone()));
    }
    let x = inverse_or_positive.as_ref().unwrap_or(&x.magnitude);
    let power = match (method, kernel) {
        (Method::FixedWindow, None) => monpro::pow(x, &e.magnitude, n),
        _ => monpro::pow_with(method, x, &e.magnitude, n, with_kernel),
    };
    power.map(Number::new).map_err(value_error)
}

/// The number ≥ 0 whose |e|-th power is xᵉ modulo n: x mod n if x is negative, x⁻¹ mod n if e is. None if it is x
/// itself.
pub(crate) fn base(x: &Integer, e: &Integer, n: &[u64]) -> PyResult<Option<Words>> {
    if !x.is_negative && !e.is_negative {
        return Ok(None);
    }
    match e.is_negative {
        true => inverse_modulo(x, n, monpro::inverse).map(Some).ok_or_else(not_invertible),
        false => Ok(Some(x.modulo(n))),
    }
}
