//! Memory that is freed holds no secret: no block of the heap that an operation gives back has 16 octets of a key's
//! number, of a blinding, of a padded message, of an intermediate power or of a row of a column in it, in any order of
//! octets and words.

#![allow(unsafe_code, reason = "an allocator is unsafe by its nature")]

mod der;
#[cfg(feature = "columns")]
mod erased_columns;

use der::{D, N, Numbers, P, Q};
use getrandom::SysRng;
use monpro::{BATCH_ENGINES, Modulus, PowTask, natural};
use monpro_rsa::{EncryptionScheme, Hash, PrivateKey, PublicKey, SignatureScheme};
use rand_core::{TryCryptoRng, TryRng, UnwrapErr};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::collections::HashSet;
use std::convert::Infallible;
use std::hint::black_box;
use std::mem::take;
use std::sync::Mutex;

/// The octets in a row by which a secret is recognised.
const WINDOW: usize = 16;

/// The system's allocator, which also keeps a copy of each block that a watched thread frees unerased.
struct Watchful;

/// The blocks that the threads of one watch freed unerased.
type Watch = &'static Mutex<Vec<Vec<u8>>>;

thread_local! {
    /// The watch that this thread is under. A thread that it starts is under none until it joins.
    static WATCH: Cell<Option<Watch>> = const { Cell::new(None) };
}

// SAFETY: it allocates and frees as the system's allocator does, and otherwise only reads.
unsafe impl GlobalAlloc for Watchful {
    // SAFETY: the contract is that of the trait.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of the system's allocator. The block is zeroed, so that it cannot show
        // the contents of an earlier one. Blocks that grow or shrink are freed and allocated anew.
        unsafe { System.alloc_zeroed(layout) }
    }

    // SAFETY: the contract is that of the trait.
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if let Ok(Some(watch)) = WATCH.try_with(Cell::take) {
            // SAFETY: the block belongs to the caller until it is freed, and was initialised when it was allocated.
            let octets = unsafe { std::slice::from_raw_parts(block, layout.size()) };
            if octets.iter().any(|&octet| octet != 0) {
                watch.lock().unwrap().push(octets.to_vec());
            }
            WATCH.set(Some(watch));
        }
        // SAFETY: the caller keeps the contract of the system's allocator.
        unsafe { System.dealloc(block, layout) };
    }
}

#[global_allocator]
static ALLOCATOR: Watchful = Watchful;

/// What the function returns, and the blocks that it freed unerased, with those of threads that joined the watch.
fn watched<T>(run: impl FnOnce() -> T) -> (T, Vec<Vec<u8>>) {
    let watch: Watch = Box::leak(Box::default());
    WATCH.set(Some(watch));
    let result = run();
    WATCH.set(None);
    (result, take(&mut watch.lock().unwrap()))
}

/// The number's octets from the highest, from the lowest, and by words from the highest whose octets go from the lowest.
fn layouts(octets: &[u8]) -> [Vec<u8>; 3] {
    let padding = vec![0; octets.len().next_multiple_of(8) - octets.len()];
    let from_the_highest = [&padding, octets].concat();
    let from_the_lowest: Vec<u8> = from_the_highest.iter().rev().copied().collect();
    let words = from_the_lowest.rchunks(8).flatten().copied().collect();
    [from_the_highest, from_the_lowest, words]
}

/// The number of blocks that hold a part of the secret.
fn count(freed: &[Vec<u8>], secret: &[u8]) -> usize {
    let layouts = layouts(secret);
    let windows: HashSet<&[u8]> = layouts.iter().flat_map(|layout| layout.windows(WINDOW)).collect();
    let is_found = |block: &&Vec<u8>| block.windows(WINDOW).any(|window| windows.contains(window));
    freed.iter().filter(is_found).count()
}

/// Panics if a block that the operation freed holds a part of a secret.
fn assert_erased<'a>(
    operation: &str,
    freed: &[Vec<u8>],
    secrets: impl IntoIterator<Item = (&'a str, &'a [u8])>,
) {
    let counts = secrets.into_iter().map(|(name, secret)| (name, count(freed, secret)));
    let found: Vec<_> = counts.filter(|&(_, count)| count > 0).collect();
    assert!(found.is_empty(), "{operation} freed blocks with these secrets: {found:?}");
}

/// The secret numbers of a key, with their names.
fn secrets_of(numbers: &Numbers) -> impl Iterator<Item = (&str, &[u8])> {
    ["d", "p", "q", "dP", "dQ", "qInv"].into_iter().zip(numbers.0[D..].iter().map(Vec::as_slice))
}

fn new_key() -> PrivateKey {
    PrivateKey::generate(1024, &mut UnwrapErr(SysRng)).unwrap()
}

/// The system's random source, which keeps what it has given.
#[derive(Default)]
struct Recorder(Vec<Vec<u8>>);

impl TryRng for Recorder {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("numbers are drawn as octets")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unreachable!("numbers are drawn as octets")
    }

    fn try_fill_bytes(&mut self, octets: &mut [u8]) -> Result<(), Infallible> {
        SysRng.try_fill_bytes(octets).unwrap();
        // The record itself is not watched.
        let watch = WATCH.take();
        self.0.push(octets.to_vec());
        WATCH.set(watch);
        Ok(())
    }
}

impl TryCryptoRng for Recorder {}

/// A private operation: its name, the number x whose power it computes, and the operation.
type Operation<'a> = (&'a str, &'a [u8], &'a dyn Fn(&mut Recorder));

/// The numbers that the operation x ↦ x^d computes with, for each of the numbers r < n that it drew: r, r^(e − 1),
/// x·r^(e − 1), rᵉ, x·rᵉ, and the power (x·rᵉ)^(d − 1), whole and modulo each prime.
fn numbers_of_operation(numbers: &Numbers, x: &[u8], power: &[u8], drawn: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let word = |octets: &[u8]| natural::from_be_bytes(octets);
    let moduli = [N, P, Q].map(|field| Modulus::new(&word(&numbers.0[field])).unwrap());
    let n = &moduli[0];
    let x = n.residue(&word(x));
    let exponent_less_one = {
        let mut d = word(&numbers.0[D]);
        d[0] -= 1;
        d
    };
    let mut secrets = Vec::new();
    for octets in drawn.iter().filter(|draw| draw.len() == 128 && **draw < numbers.0[N]) {
        let r = n.residue(&word(octets));
        let (less_one, r_to_e) = (r.pow(&[65536]), r.pow(&[65537]));
        let (cofactor, base) = (&x * &less_one, &x * &r_to_e);
        let root = base.pow(&exponent_less_one);
        assert_eq!((&root * &cofactor).to_number(), word(power));
        for residue in [&r, &less_one, &cofactor, &r_to_e, &base] {
            secrets.push(natural::to_be_bytes(&residue.to_number(), 128));
        }
        let root = root.to_number();
        for modulus in &moduli {
            secrets
                .push(natural::to_be_bytes(&modulus.residue(&root).to_number(), modulus.bits().div_ceil(8)));
        }
    }
    secrets
}

/// What is not erased is found, in each layout, also after a block has grown.
#[test]
fn a_copy_without_erasure_is_found() {
    let secret: Vec<u8> = (0..40).map(|i| 3 * i + 1).collect();
    for layout in layouts(&secret) {
        let (_, freed) = watched(|| drop(black_box([&[0; 5][..], &layout].concat())));
        assert_eq!(count(&freed, &secret), 1);
        let (_grown, freed) = watched(|| {
            let mut grown = layout.clone();
            grown.reserve_exact(1 << 16);
            black_box(grown)
        });
        assert_eq!(count(&freed, &secret), 1);
    }
    let (_, freed) = watched(|| drop(black_box(vec![0u8; 40])));
    assert_eq!(count(&freed, &secret), 0);
}

#[test]
fn generation_erases() {
    for bits in [512, 1024] {
        let (key, freed) = watched(|| PrivateKey::generate(bits, &mut UnwrapErr(SysRng)).unwrap());
        assert_erased("generate", &freed, secrets_of(&Numbers::of(&key)));
    }
}

#[test]
fn loading_and_writing_erase() {
    let key = new_key();
    let numbers = Numbers::of(&key);
    let (der, pkcs1, pem) = (key.to_der(), numbers.pkcs1(), key.to_pem());
    let d = numbers.0[D].as_slice();
    let operations: [(&str, &dyn Fn()); 10] = [
        ("from_der", &|| drop(PrivateKey::from_der(&der).unwrap())),
        ("from_der of PKCS#1", &|| drop(PrivateKey::from_der(&pkcs1).unwrap())),
        ("from_pem", &|| drop(PrivateKey::from_pem(&pem).unwrap())),
        ("the public key's from_pem", &|| drop(PublicKey::from_pem(&pem).unwrap())),
        ("to_der", &|| drop(key.to_der())),
        ("to_pem", &|| drop(key.to_pem())),
        ("to_pkcs1_pem", &|| drop(key.to_pkcs1_pem())),
        ("private_numbers", &|| drop(key.private_numbers())),
        ("from_numbers", &|| {
            drop(PrivateKey::from_numbers(&numbers.0[N], &[1, 0, 1], d, &[]).unwrap());
        }),
        ("clone", &|| drop(key.clone())),
    ];
    for (operation, run) in operations {
        let ((), freed) = watched(run);
        assert_erased(operation, &freed, secrets_of(&numbers));
        // The text of a document in PEM, too.
        assert_erased(operation, &freed, [("text", &pem.as_bytes()[100..200])]);
    }
}

/// A passphrase, the key that is derived from it, and the document that was encrypted.
#[test]
fn encrypted_documents_erase() {
    let key = new_key();
    let numbers = Numbers::of(&key);
    let passphrase = b"a passphrase of more than 16 octets";
    let mut random = UnwrapErr(SysRng);
    let (der, freed) = watched(|| key.to_encrypted_der(passphrase, &mut random).unwrap());
    let identifier = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 12];
    let start = der.windows(identifier.len()).position(|window| window == identifier).unwrap();
    // The identifier of PBKDF2 is followed by a sequence, which begins with the salt.
    let salt = &der[start + identifier.len() + 4..][..16];
    let mut derived = [0; 32];
    pbkdf2::pbkdf2_hmac::<sha2::Sha256>(passphrase, salt, 600_000, &mut derived);
    let secrets = [("the passphrase", &passphrase[..]), ("the derived key", &derived)];
    assert_erased("to_encrypted_der", &freed, secrets_of(&numbers).chain(secrets));
    let (read, freed) = watched(|| PrivateKey::from_encrypted_der(&der, passphrase).unwrap());
    assert_eq!(*read.to_der(), *key.to_der());
    assert_erased("from_encrypted_der", &freed, secrets_of(&numbers).chain(secrets));
    let pem = key.to_encrypted_pem(passphrase, &mut random).unwrap();
    let (_, freed) = watched(|| drop(PublicKey::load(pem.as_bytes(), Some(passphrase)).unwrap()));
    assert_erased("load", &freed, secrets_of(&numbers).chain([secrets[0]]));
}

/// A document that is refused is erased as one that is taken.
#[test]
fn refusals_erase() {
    let numbers = Numbers::of(&new_key());
    for field in D..=der::Q_INV {
        let mut octets = numbers.0[field].clone();
        *octets.last_mut().unwrap() ^= 2;
        let der = numbers.with([(field, &octets)]).pkcs8();
        let ((), freed) = watched(|| assert!(PrivateKey::from_der(&der).is_err()));
        assert_erased("a refusal", &freed, secrets_of(&numbers));
    }
}

#[test]
fn private_operations_erase() {
    let key = new_key();
    let numbers = Numbers::of(&key);
    let mut random = UnwrapErr(SysRng);
    let message = b"a message of more than 16 octets";
    let encrypt = |scheme, random: &mut _| key.public_key().encrypt(scheme, message, random).unwrap();
    let oaep = EncryptionScheme::default();
    let [one, other] = [oaep, EncryptionScheme::Pkcs1v15].map(|scheme| encrypt(scheme, &mut random));
    let sign = |random: &mut Recorder| key.sign(SignatureScheme::Pkcs1v15, Hash::Sha256, message, random);
    let signature = sign(&mut Recorder::default()).unwrap();
    let signed = key.public_key().raw(&signature).unwrap();
    let operations: [Operation<'_>; 4] = [
        ("sign", &signed, &|random| drop(sign(random).unwrap())),
        ("raw", &one, &|random| drop(key.raw(&one, random).unwrap())),
        ("decrypt by OAEP", &one, &|random| drop(key.decrypt(oaep, &one, random).unwrap())),
        ("decrypt by PKCS#1 v1.5", &other, &|random| {
            drop(key.decrypt(EncryptionScheme::Pkcs1v15, &other, random).unwrap());
        }),
    ];
    for (operation, x, run) in operations {
        let mut recorder = Recorder::default();
        let ((), freed) = watched(|| run(&mut recorder));
        assert_erased(operation, &freed, secrets_of(&numbers));
        let power = key.raw(x, &mut random).unwrap();
        let computed = numbers_of_operation(&numbers, x, &power, &recorder.0);
        assert_erased(
            operation,
            &freed,
            computed.iter().map(|secret| ("a number of the operation", &secret[..])),
        );
        if operation != "sign" {
            assert_erased(operation, &freed, [("the message", &message[..]), ("the padded message", &power)]);
        }
    }
}

/// An engine of batches may compute more than it was asked for.
#[test]
fn engines_of_batches_erase() {
    let numbers = Numbers::of(&new_key());
    let [p, d] = [P, D].map(|field| natural::from_be_bytes(&numbers.0[field]));
    for engine in BATCH_ENGINES.iter().filter(|engine| engine.unavailable_reason().is_none()) {
        for count in [1, engine.tasks_at_once().min(8)] {
            let tasks = vec![PowTask::new(&[3, 5, 7], &d, &p); count];
            let (powers, freed) = watched(|| engine.pow(&tasks).unwrap());
            assert_eq!(powers.len(), count);
            let operation = format!("{count} powers by {}", engine.name());
            let power = natural::to_be_bytes(&powers[0], 64);
            assert_erased(&operation, &freed, secrets_of(&numbers).chain([("a power", &power[..])]));
        }
    }
}

#[test]
fn encryption_erases() {
    let key = new_key();
    let public = key.public_key();
    let message = b"a message of more than 16 octets";
    for scheme in [EncryptionScheme::default(), EncryptionScheme::Pkcs1v15] {
        let mut recorder = Recorder::default();
        let (ciphertext, freed) = watched(|| public.encrypt(scheme, message, &mut recorder).unwrap());
        let padded = key.raw(&ciphertext, &mut UnwrapErr(SysRng)).unwrap();
        let secrets = [
            ("the message", &message[..]),
            ("the padded message", &padded),
            ("random", &recorder.0.concat()),
        ];
        assert_erased("encrypt", &freed, secrets);
        let ((), freed) = watched(|| drop(public.encode(scheme, message, &mut recorder).unwrap()));
        assert_erased("encode", &freed, [("the message", &message[..]), ("random", &recorder.0.concat())]);
        let (_, freed) = watched(|| public.raw(&padded).unwrap());
        assert_erased("raw", &freed, [("the padded message", &padded[..])]);
    }
}
