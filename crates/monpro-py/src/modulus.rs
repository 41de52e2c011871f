//! The classes Modulus and Residue, and the function pow.

use crate::convert::{self, from_words, integer, method, natural, positive, value_error};
use crate::kernel::{PyKernel, by_name};
use monpro::ring::RingName;
use monpro::{Error, Method, Modulus, Residue};
use num_bigint::{BigInt, BigUint, Sign};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// An odd modulus n ≥ 1 and the kernel that computes with it.
#[pyclass(name = "Modulus", module = "monpro", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct PyModulus(pub(crate) Modulus);

#[pymethods]
impl PyModulus {
    #[new]
    #[pyo3(signature = (n, *, ring = None, kernel = None))]
    fn new(n: &Bound<'_, PyAny>, ring: Option<&str>, kernel: Option<&str>) -> PyResult<PyModulus> {
        let n = positive(n, "the modulus n")?;
        let (ring, kernel) = (ring.map(convert::ring).transpose()?, kernel.map(by_name).transpose()?);
        let modulus = match (kernel, ring) {
            (None, None | Some(RingName::Integers)) => Modulus::new(&n),
            (None, Some(RingName::BinaryPolynomials)) => Modulus::of_polynomial(&n),
            (Some(kernel), Some(wanted)) if kernel.ring != wanted => {
                Err(Error::WrongRing { kernel: kernel.name, wanted })
            }
            (Some(kernel), _) => Modulus::with_kernel(kernel, &n),
        };
        modulus.map(PyModulus).map_err(value_error)
    }

    /// The modulus.
    #[getter]
    fn n(&self) -> BigUint {
        from_words(self.0.number())
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
    fn r(&self) -> BigUint {
        BigUint::from(1u32) << self.0.r_exponent()
    }

    /// The residue of x modulo n; over the integers x may be negative.
    fn __call__(&self, py: Python<'_>, x: &Bound<'_, PyAny>) -> PyResult<PyResidue> {
        if self.0.kernel().ring == RingName::BinaryPolynomials {
            let x = natural(x, "x")?;
            return Ok(PyResidue(py.detach(|| self.0.residue(&x))));
        }
        let (sign, magnitude) = integer(x, "x")?.into_parts();
        Ok(PyResidue(py.detach(|| match (sign, self.0.residue(&magnitude.to_u64_digits())) {
            (Sign::Minus, residue) => -&residue,
            (_, residue) => residue,
        })))
    }

    /// The residue whose Montgomery form has these s words of radix_bits bits.
    fn residue_from_words(&self, words: Vec<u64>) -> PyResult<PyResidue> {
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
    ) -> PyResult<BigUint> {
        self.__call__(py, x)?.power(py, e, method)?.to_integer(py)
    }

    /// The product of the powers xᵉ mod n over the terms (x, e), e ≥ 0, which share their squares.
    fn multi_pow(&self, py: Python<'_>, terms: &Bound<'_, PyAny>) -> PyResult<BigUint> {
        let term = |term: PyResult<Bound<'_, PyAny>>| {
            let (x, e): (Bound<'_, PyAny>, Bound<'_, PyAny>) = term?.extract()?;
            Ok((self.__call__(py, &x)?.0, natural(&e, "an exponent")?))
        };
        let terms = terms.try_iter()?.map(term).collect::<PyResult<Vec<_>>>()?;
        Ok(py.detach(|| {
            let terms: Vec<_> = terms.iter().map(|(x, e)| (x, &e[..])).collect();
            from_words(&self.0.multi_pow(&terms).to_number())
        }))
    }

    fn __repr__(&self) -> String {
        format!("<Modulus of {} bits, kernel {}>", self.0.bits(), self.0.kernel().name)
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
) -> PyResult<BigUint> {
    let (x, e, n) = (integer(x, "the base x")?, integer(e, "the exponent e")?, positive(n, "the modulus n")?);
    let method = convert::method(method)?;
    let kernel = kernel.map(by_name).transpose()?;
    if let Some(kernel) = kernel.filter(|kernel| kernel.ring != RingName::Integers) {
        return Err(value_error(Error::WrongRing { kernel: kernel.name, wanted: RingName::Integers }));
    }
    let with_kernel = |n: &[u64]| match kernel {
        None => Modulus::new(n),
        Some(kernel) => Modulus::with_kernel(kernel, n),
    };
    py.detach(|| {
        let x = base(x, &e, from_words(&n))?.to_u64_digits();
        monpro::pow_with(method, &x, &e.magnitude().to_u64_digits(), &n, with_kernel)
            .map(|power| from_words(&power))
            .map_err(value_error)
    })
}

/// The number ≥ 0 whose |e|-th power is xᵉ modulo n: x itself, x mod n if x is negative, x⁻¹ mod n if e is.
pub(crate) fn base(x: BigInt, e: &BigInt, n: BigUint) -> PyResult<BigUint> {
    if x.sign() != Sign::Minus && e.sign() != Sign::Minus {
        return Ok(x.into_parts().1);
    }
    let n = BigInt::from(n);
    let x = match e.sign() {
        Sign::Minus => x.modinv(&n).ok_or_else(not_invertible)?,
        _ => x.modpow(&BigInt::from(1), &n),
    };
    Ok(x.into_parts().1)
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
    pub(crate) fn to_integer(&self, py: Python<'_>) -> PyResult<BigUint> {
        Ok(py.detach(|| from_words(&self.0.to_number())))
    }

    /// xᵉ; for a negative e, the power of the inverse, which exists over the integers if x and n share no
    /// factor.
    pub(crate) fn power(&self, py: Python<'_>, e: &Bound<'_, PyAny>, name: &str) -> PyResult<PyResidue> {
        let method = method(name)?;
        let (sign, magnitude) = integer(e, "the exponent e")?.into_parts();
        let inverse = match sign {
            Sign::Minus => Some(self.inverse()?),
            _ => None,
        };
        let x = inverse.as_ref().unwrap_or(&self.0);
        let (bits, e) = (magnitude.bits() as usize, magnitude.to_u64_digits());
        Ok(PyResidue(py.detach(|| match method {
            Method::BinaryVartime => x.pow_binary_vartime(&e),
            Method::FixedWindow => x.pow_bounded(&e, bits),
            Method::SlidingWindowVartime => x.pow_vartime(&e),
        })))
    }

    fn inverse(&self) -> PyResult<Residue> {
        let modulus = self.0.modulus();
        if modulus.kernel().ring == RingName::BinaryPolynomials {
            return Err(PyValueError::new_err("a negative exponent needs a kernel of the integers"));
        }
        let n = BigInt::from(from_words(modulus.number()));
        let inverse = BigInt::from(from_words(&self.0.to_number())).modinv(&n).ok_or_else(not_invertible)?;
        Ok(modulus.residue(&inverse.into_parts().1.to_u64_digits()))
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

    fn __int__(&self, py: Python<'_>) -> PyResult<BigUint> {
        self.to_integer(py)
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
