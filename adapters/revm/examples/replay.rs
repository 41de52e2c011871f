//! Executes a block of transactions that call MODEXP, once with revm's own arithmetic and once with monpro's, and
//! compares the roots of the two states. Each run also compares what the contract has stored with the known results.
//!
//! `cargo run --release --example replay` runs both and prints the root. A process has one provider, so each runs in a
//! process of its own: `replay default` and `replay monpro`.

use alloy_trie::TrieAccount;
use alloy_trie::root::{state_root_unhashed, storage_root_unhashed};
use revm::bytecode::Bytecode;
use revm::context::TxEnv;
use revm::context::result::ExecutionResult;
use revm::database::{CacheDB, EmptyDB};
use revm::primitives::{Address, B256, U256, address, hex, keccak256};
use revm::state::AccountInfo;
use revm::{Context, ExecuteCommitEvm, MainBuilder, MainContext};
use std::error::Error;
use std::process::{Command, ExitCode};

const SENDER: Address = address!("0x1000000000000000000000000000000000000001");
const CONTRACT: Address = address!("0x2000000000000000000000000000000000000002");
/// The code of the contract: it calls MODEXP with what it is called with, adds 1 to the number at storage 0, and stores
/// at the storage of that number the hash of what came back, plus 1 if the call succeeded.
const CODE: [u8; 30] = hex!("365f5f37 5f5f365f60055afa 3d5f5f3e 3d5f20 01 5f54600101805f55 55 00");
/// The inputs, in the format of go-ethereum.
const VECTORS: &str = include_str!("../../../vectors/modexp.json");

/// The input and the output of a contract.
type Call = (Vec<u8>, Vec<u8>);

fn main() -> ExitCode {
    let chosen = std::env::args().nth(1);
    let done = match chosen.as_deref() {
        None => compare(),
        Some("default") => execute(),
        Some("monpro") => monpro_revm::install().map_err(Into::into).and_then(|()| execute()),
        Some(other) => {
            Err(format!("{other}: name the provider, default or monpro, or none to compare them").into())
        }
    };
    match done {
        Ok(root) => {
            println!("{root}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("replay: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs this program with each provider; returns the root if both have the same.
fn compare() -> Result<String, Box<dyn Error>> {
    let program = std::env::current_exe()?;
    let run = |provider: &str| -> Result<String, Box<dyn Error>> {
        let output = Command::new(&program).arg(provider).output()?;
        match output.status.success() {
            true => Ok(String::from_utf8(output.stdout)?.trim().to_owned()),
            false => Err(format!("{provider}: {}", String::from_utf8_lossy(&output.stderr)).into()),
        }
    };
    let (default, monpro) = (run("default")?, run("monpro")?);
    match default == monpro {
        true => Ok(format!("the state has the root {monpro} with either provider")),
        false => Err(format!("the states differ: {default} by default, {monpro} with monpro").into()),
    }
}

/// Executes a transaction for each vector; returns the root of the state.
fn execute() -> Result<String, Box<dyn Error>> {
    let mut state = CacheDB::new(EmptyDB::new());
    state.insert_account_info(SENDER, AccountInfo::from_balance(U256::MAX >> 1));
    state.insert_account_info(CONTRACT, AccountInfo::from_bytecode(Bytecode::new_raw(CODE.into())));
    let mut evm = Context::mainnet().with_db(state).build_mainnet();
    let vectors = vectors()?;
    for (nonce, (input, _)) in vectors.iter().enumerate() {
        let call =
            TxEnv::builder().caller(SENDER).call(CONTRACT).nonce(nonce as u64).data(input.clone().into());
        let transaction = call.build().map_err(|error| format!("{error:?}"))?;
        let result = evm.transact_commit(transaction)?;
        if !matches!(result, ExecutionResult::Success { .. }) {
            return Err(format!("transaction {nonce}: {result:?}").into());
        }
    }
    let state = &evm.ctx.journaled_state.database;
    for (slot, (_, expected)) in (1u64..).zip(&vectors) {
        let stored = state.cache.accounts[&CONTRACT].storage[&U256::from(slot)];
        if stored != U256::from_be_bytes(keccak256(expected).0).wrapping_add(U256::ONE) {
            return Err(format!("the result of transaction {} is another one", slot - 1).into());
        }
    }
    Ok(root(state).to_string())
}

/// Inputs and outputs of the vectors.
fn vectors() -> Result<Vec<Call>, Box<dyn Error>> {
    let vectors: Vec<serde_json::Value> = serde_json::from_str(VECTORS)?;
    vectors.iter().map(|vector| Ok((bytes(&vector["Input"])?, bytes(&vector["Expected"])?))).collect()
}

/// The bytes of a string of hexadecimal digits.
fn bytes(value: &serde_json::Value) -> Result<Vec<u8>, Box<dyn Error>> {
    Ok(hex::decode(value.as_str().ok_or("hexadecimal digits are missing")?)?)
}

/// The root of the Merkle–Patricia trie of the accounts.
fn root(state: &CacheDB<EmptyDB>) -> B256 {
    let of_account = |(&address, account): (&Address, &revm::database::DbAccount)| {
        let slots = account.storage.iter().filter(|(_, value)| !value.is_zero());
        let storage_root = storage_root_unhashed(slots.map(|(&slot, &value)| (B256::from(slot), value)));
        let AccountInfo { nonce, balance, code_hash, .. } = account.info;
        (address, TrieAccount { nonce, balance, storage_root, code_hash })
    };
    state_root_unhashed(state.cache.accounts.iter().map(of_account))
}
