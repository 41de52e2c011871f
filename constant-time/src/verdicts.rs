//! The branches that may depend on secrets, because they tell no more than an answer that the caller gets anyway, or
//! than what is public of a key. Each is known by a piece of its line.

use std::collections::{BTreeSet, HashMap};

/// A branch that may depend on secrets.
pub struct Verdict {
    /// The end of the path of its file.
    pub file: &'static str,
    /// A piece of the name of its function.
    pub function: &'static str,
    /// A piece of its line.
    pub code: &'static str,
    /// What it tells.
    pub tells: &'static str,
}

const fn verdict(file: &'static str, code: &'static str, tells: &'static str) -> Verdict {
    Verdict { file, function: "", code, tells }
}

/// The end of a function, where what is not handed out is erased.
const fn verdict_at_end(file: &'static str, function: &'static str, tells: &'static str) -> Verdict {
    Verdict { file, function, code: "    }", tells }
}

/// Parts of the paths of the sources that may have verdicts.
const OURS: [&str; 2] = ["/crates/monpro", "/constant-time/src/rsa.rs"];

/// The verdicts, by file.
pub const VERDICTS: &[Verdict] = &[
    verdict("batch/singles.rs", "is_equal(last.number(), n)", "whether a task has its neighbour's modulus"),
    verdict(
        "batch/fma.rs",
        "is_one(&one).then_some",
        "whether q⁻¹ is an inverse of q, else there is no result",
    ),
    verdict(
        "batch/fma/one_modulus.rs",
        "is_equal(trimmed(task.modulus()), &self.modulus)",
        "whether a task has the modulus of its engine",
    ),
    verdict("batch/halves.rs", "is_inverse.then", "whether q⁻¹ is an inverse of q, else there is no result"),
    verdict("binary_field/element.rs", "match self.is_zero()", "whether an element has an inverse"),
    verdict("src/binary_field.rs", ".is_zero())", "which element of a list has no inverse"),
    verdict("src/inverse.rs", "is_unit.then(", "whether a number has an inverse"),
    verdict("src/modulus.rs", "natural::is_equal(&self.0.number", "whether two moduli are one"),
    verdict("src/residue.rs", "self.modulus == other.modulus", "whether residues have one modulus"),
    verdict("src/modulus.rs", "if word > u64::MAX >>", "whether words are those of a residue"),
    verdict("src/modulus.rs", "kernel.arithmetic.is_reduced)", "whether words are those of a residue"),
    verdict("src/diffie_hellman.rs", "is_degenerate(", "whether a public value or a secret is 0, 1 or −1"),
    verdict("capi/src/fixed_base.rs", "if !has_at_most(", "whether an exponent is too long for its table"),
    verdict("private_key.rs", "if !are_equal(&whole, n)", "whether the factors of a document make n"),
    verdict("private_key.rs", "if p.is_found_composite()", "whether a factor of a document is prime"),
    verdict(
        "private_key.rs",
        "match is_reduced & is_inverse",
        "whether a document's numbers belong together",
    ),
    verdict("private_key.rs", "if !is_below(c, n.number())", "whether a number is below n"),
    verdict("public_key.rs", "match is_below(m", "whether a number is below n"),
    verdict("monpro-rsa/src/document.rs", "match agrees(", "whether a document's numbers belong together"),
    verdict_at_end(
        "monpro-rsa/src/document.rs",
        "from_pkcs1",
        "whether a document's numbers belong together",
    ),
    verdict("document/pem.rs", "text.windows(piece.len())", "where a document has other than base64 digits"),
    verdict("document/pem.rs", "octet > b' '", "where a document has white space"),
    verdict("document/pem.rs", "Base64::decode(", "whether a document has other than base64 digits"),
    verdict("prime.rs", "match m[0] as u32", "whether a prime less one has more than 31 factors 2"),
    verdict("number.rs", ".find(|x| is_below(x, n))", "how often a random number is drawn"),
    verdict("blinding.rs", "if r == n.zero()", "whether a random number is 0, as a broken source gives it"),
    verdict("blinding.rs", "match result.pow_vartime(", "whether the result is right"),
    verdict("encryption/oaep.rs", "match bool::from(is_good & is_found)", "whether a ciphertext is one"),
    verdict("encryption/oaep.rs", "db[h + start as usize..].to_vec()", "the length of the message"),
    verdict("encryption/pkcs1v15.rs", "message[start as usize..].to_vec()", "the length of the message"),
    verdict("encryption/pkcs1v15.rs", "while *octet == 0", "how often an octet of padding is drawn"),
    verdict(
        "constant-time/src/rsa.rs",
        "drop(black_box(message))",
        "the length of the message, to its caller",
    ),
];

/// The verdicts that were met.
#[derive(Default)]
pub struct Verdicts {
    met: BTreeSet<usize>,
    /// The files that complaints named.
    sources: HashMap<String, Vec<String>>,
}

impl Verdicts {
    /// Whether a complaint is at a verdict: the innermost of its frames that is in this project.
    pub fn has(&mut self, complaint: &str) -> bool {
        let is_ours = |path: &str| OURS.iter().any(|folder| path.contains(folder));
        let mut places =
            complaint.lines().filter_map(|frame| place(frame).map(|(path, line)| (frame, path, line)));
        let Some((frame, path, line)) = places.find(|(_, path, _)| is_ours(path)) else {
            return false;
        };
        let code = self.line(&path, line);
        let is_here = |verdict: &Verdict| {
            path.ends_with(verdict.file) && frame.contains(verdict.function) && code.contains(verdict.code)
        };
        let found = VERDICTS.iter().position(is_here);
        self.met.extend(found);
        found.is_some()
    }

    /// The rows that no complaint met.
    pub fn never_met(&self) -> impl Iterator<Item = &'static Verdict> {
        VERDICTS.iter().enumerate().filter(|(row, _)| !self.met.contains(row)).map(|(_, verdict)| verdict)
    }

    /// The line of a file; empty if there is none.
    fn line(&mut self, path: &str, line: usize) -> String {
        let lines = self.sources.entry(path.to_owned()).or_insert_with(|| {
            let source = std::fs::read_to_string(path).unwrap_or_default();
            source.lines().map(str::to_owned).collect()
        });
        lines.get(line - 1).cloned().unwrap_or_default()
    }
}

/// The file and the line in a frame, as in "by 0x12: name (path:34)".
fn place(frame: &str) -> Option<(String, usize)> {
    let (_, place) = frame.rsplit_once('(')?;
    let (path, line) = place.strip_suffix(')')?.rsplit_once(':')?;
    Some((path.to_owned(), line.parse().ok()?))
}
