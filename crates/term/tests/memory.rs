//! The constructors' rules for memory, against memory as an array of bytes.

use rustc_hash::FxHashMap;
use term::eval::evaluate;
use term::random::Random;
use term::simplify::simplify;
use term::{FloatFormat, Op, Sort, SortKind, Term, Value, build, visit};

const WIDTH: u32 = 32;

fn bytes_sort() -> Sort {
    Sort::array(Sort::pointer(WIDTH), Sort::bv(8))
}

/// The pointer some bytes further.
fn advanced(pointer: Term, by: Term) -> Term {
    let offset = Term::new(Op::BvAdd, &[Term::new(Op::PointerOffset, &[pointer]), by]);
    Term::new(Op::Pointer, &[Term::new(Op::PointerObject, &[pointer]), offset])
}

fn byte_at(memory: Term, pointer: Term, n: u32) -> Term {
    Term::new(Op::Select, &[memory, advanced(pointer, build::bv(WIDTH, n.into()))])
}

fn with_byte(memory: Term, pointer: Term, n: u32, byte: Term) -> Term {
    Term::new(Op::Store, &[memory, advanced(pointer, build::bv(WIDTH, n.into())), byte])
}

fn length(term: Term) -> u32 {
    term.as_bv().expect("lengths are constants here").unsigned() as u32
}

/// The term about an array of bytes that a term about memory is: the definition of the operators on memory.
fn as_bytes(root: Term) -> Term {
    visit::bottom_up(root, &mut FxHashMap::default(), |term, memo| {
        let args: Vec<Term> = term.args().iter().map(|a| memo[a]).collect();
        match (term.op(), &args[..]) {
            (Op::Var { name, sort, .. }, _) if matches!(sort.kind(), SortKind::Memory(_)) => {
                Term::var(*name, bytes_sort())
            }
            (Op::Load(sort), [memory, at]) => {
                let count = sort.bytes().expect("it was loaded");
                let bytes = (0..count).rev().map(|n| byte_at(*memory, *at, n));
                let bits = bytes.reduce(|high, low| Term::new(Op::Concat, &[high, low])).expect("a byte at least");
                match sort.kind() {
                    SortKind::Float(format) => Term::new(Op::FpFromBits(*format), &[bits]),
                    _ => bits,
                }
            }
            (Op::MemStore, [memory, at, value]) => {
                let bits = match value.sort().kind() {
                    SortKind::Float(_) => Term::new(Op::FpToBits, &[*value]),
                    _ => *value,
                };
                (0..value.sort().bytes().expect("it was stored")).fold(*memory, |memory, n| {
                    let byte = Term::new(Op::Extract { high: 8 * n + 7, low: 8 * n }, &[bits]);
                    with_byte(memory, *at, n, byte)
                })
            }
            (Op::MemFill, [memory, to, byte, count]) => {
                (0..length(*count)).fold(*memory, |memory, n| with_byte(memory, *to, n, *byte))
            }
            (Op::MemCopy, [before, to, from, count]) => {
                (0..length(*count)).fold(*before, |memory, n| with_byte(memory, *to, n, byte_at(*before, *from, n)))
            }
            (op, args) => Term::new(op.clone(), args),
        }
    })
}

fn pointer(random: &mut Random) -> Term {
    let object = match random.below(3) {
        0 => Term::var("object", Sort::object()),
        n => build::bv(32, n as u128),
    };
    let constant = build::bv(WIDTH, [0, 1, 2, 3, 4, u128::MAX][random.below(6)]);
    let offset = match random.below(3) {
        0 => Term::new(Op::BvAdd, &[Term::var("offset", Sort::bv(WIDTH)), constant]),
        _ => constant,
    };
    match random.below(4) {
        0 => Term::var("pointer", Sort::pointer(WIDTH)),
        _ => Term::new(Op::Pointer, &[object, offset]),
    }
}

fn sort(random: &mut Random) -> Sort {
    *random.pick(&[
        Sort::bv(8),
        Sort::bv(16),
        Sort::bv(32),
        Sort::float(FloatFormat::SINGLE),
        Sort::float(FloatFormat::HALF),
    ])
}

fn memory(random: &mut Random, depth: u32) -> Term {
    if depth == 0 {
        return Term::var("memory", Sort::memory(WIDTH));
    }
    let before = memory(random, depth - 1);
    let to = pointer(random);
    let count = build::bv(WIDTH, random.below(4) as u128);
    match random.below(6) {
        0 => Term::new(Op::MemFill, &[before, to, build::bv(8, 7), count]),
        1 => Term::new(Op::MemCopy, &[before, to, pointer(random), count]),
        _ => {
            let sort = sort(random);
            let value = if random.once_in(3) { Term::var("v", sort) } else { Term::constant(random.value(sort)) };
            Term::new(Op::MemStore, &[before, to, value])
        }
    }
}

/// Variables such that pointers often meet.
fn assignment(random: &mut Random, term: Term) -> Value {
    match term.sort().kind() {
        SortKind::Pointer(_) => {
            Value::Pointer { object: random.below(3) as u32, offset: term::Bv::new(WIDTH, random.below(6) as u128) }
        }
        SortKind::BitVec(WIDTH) => Value::bv(WIDTH, (random.below(6) as u128).wrapping_sub(1)),
        _ => random.value(term.sort()),
    }
}

#[test]
fn loads_see_the_right_stores() {
    let times: u64 = std::env::var("FATHOM_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut shorter = 0;
    for seed in 0..10_000 * times {
        let mut random = Random::new(seed);
        let depth = random.below(5) as u32;
        let memory = memory(&mut random, depth);
        let load = Term::new(Op::Load(sort(&mut random)), &[memory, pointer(&mut random)]);
        let built = visit::bottom_up(load, &mut FxHashMap::default(), |term, memo| {
            let args: Vec<Term> = term.args().iter().map(|a| memo[a]).collect();
            build::make(term.op(), &args)
        });
        shorter += u64::from(term::free::dag_size(built) < term::free::dag_size(load));
        let values: FxHashMap<Term, Value> =
            term::free::variables([as_bytes(load)]).into_iter().map(|v| (v, assignment(&mut random, v))).collect();
        let value = |t: Term| evaluate(as_bytes(t), &|v| values.get(&v).cloned());
        let expected = value(load);
        assert!(expected.is_some(), "{load}");
        assert_eq!(value(built), expected, "{load}\nbecame {built}\n{values:?}");
        assert_eq!(value(simplify(load)), expected, "{load}\nbecame {}\n{values:?}", simplify(load));
    }
    // The rules do something.
    assert!(shorter > 2_000 * times, "{shorter}");
}
