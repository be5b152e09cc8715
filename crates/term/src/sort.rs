//! Sorts, interned like terms.

use crate::symbol::write_sort_name;
use source::Symbol;
use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{LazyLock, Mutex};

/// The shape of an IEEE 754 binary format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FloatFormat {
    pub exponent: u32,
    /// The significand's width with the hidden bit, as SMT-LIB counts it.
    pub significand: u32,
}

impl FloatFormat {
    pub const HALF: FloatFormat = FloatFormat { exponent: 5, significand: 11 };
    pub const SINGLE: FloatFormat = FloatFormat { exponent: 8, significand: 24 };
    pub const DOUBLE: FloatFormat = FloatFormat { exponent: 11, significand: 53 };
    /// x87's extended format. Its values are those of a format with a hidden bit; only its bit pattern in memory shows the bit.
    pub const EXTENDED: FloatFormat = FloatFormat { exponent: 15, significand: 64 };
    pub const QUAD: FloatFormat = FloatFormat { exponent: 15, significand: 113 };

    /// Whether terms can have floats of this format: both parts have at least two bits, and none more than quad's.
    pub fn is_supported(self) -> bool {
        (2..=15).contains(&self.exponent) && (2..=113).contains(&self.significand)
    }

    /// The width of the format's bit pattern: what `FpToBits` gives. x87's format shows its integer bit: 80 bits.
    pub fn width(self) -> u32 {
        if self == FloatFormat::EXTENDED { 80 } else { self.exponent + self.significand }
    }
}

/// What a sort is.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum SortKind {
    Bool,
    Int,
    Real,
    BitVec(u32),
    Float(FloatFormat),
    Array(Sort, Sort),
    /// A user's own sort (Boogie's types), possibly with arguments.
    Uninterpreted(Symbol, Vec<Sort>),
    /// A pointer: an object identity of [`crate::OBJECT_WIDTH`] bits and an offset of the given width, in bytes.
    Pointer(u32),
    /// Byte-addressed memory, little-endian, indexed by pointers whose offsets have the given width.
    Memory(u32),
}

/// An interned sort: copying and comparing it is a pointer's work.
#[derive(Clone, Copy)]
pub struct Sort(&'static SortKind);

static SORTS: LazyLock<Mutex<HashSet<&'static SortKind>>> = LazyLock::new(Mutex::default);

impl Sort {
    pub fn new(kind: SortKind) -> Sort {
        let mut sorts = SORTS.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        match sorts.get(&kind) {
            Some(known) => Sort(known),
            None => {
                let kept: &'static SortKind = Box::leak(Box::new(kind));
                sorts.insert(kept);
                Sort(kept)
            }
        }
    }

    pub fn kind(self) -> &'static SortKind {
        self.0
    }

    pub fn bool() -> Sort {
        static BOOL: LazyLock<Sort> = LazyLock::new(|| Sort::new(SortKind::Bool));
        *BOOL
    }

    pub fn int() -> Sort {
        static INT: LazyLock<Sort> = LazyLock::new(|| Sort::new(SortKind::Int));
        *INT
    }

    pub fn real() -> Sort {
        static REAL: LazyLock<Sort> = LazyLock::new(|| Sort::new(SortKind::Real));
        *REAL
    }

    /// The bit-vectors of a width from 1 to [`crate::MAX_WIDTH`].
    pub fn bv(width: u32) -> Sort {
        static VECTORS: LazyLock<Vec<Sort>> =
            LazyLock::new(|| (0..=crate::MAX_WIDTH).map(|w| Sort::new(SortKind::BitVec(w))).collect());
        assert!((1..=crate::MAX_WIDTH).contains(&width), "bit-vector width {width}");
        VECTORS[width as usize]
    }

    /// The floats of a supported format.
    pub fn float(format: FloatFormat) -> Sort {
        static SINGLE: LazyLock<Sort> = LazyLock::new(|| Sort::new(SortKind::Float(FloatFormat::SINGLE)));
        static DOUBLE: LazyLock<Sort> = LazyLock::new(|| Sort::new(SortKind::Float(FloatFormat::DOUBLE)));
        assert!(format.is_supported(), "float format {format:?}");
        match format {
            FloatFormat::SINGLE => *SINGLE,
            FloatFormat::DOUBLE => *DOUBLE,
            format => Sort::new(SortKind::Float(format)),
        }
    }

    pub fn array(index: Sort, element: Sort) -> Sort {
        Sort::new(SortKind::Array(index, element))
    }

    pub fn pointer(offset_width: u32) -> Sort {
        static POINTER_32: LazyLock<Sort> = LazyLock::new(|| Sort::new(SortKind::Pointer(32)));
        static POINTER_64: LazyLock<Sort> = LazyLock::new(|| Sort::new(SortKind::Pointer(64)));
        match offset_width {
            32 => *POINTER_32,
            64 => *POINTER_64,
            width => panic!("pointer width {width}"),
        }
    }

    pub fn memory(offset_width: u32) -> Sort {
        static MEMORY_32: LazyLock<Sort> = LazyLock::new(|| Sort::new(SortKind::Memory(32)));
        static MEMORY_64: LazyLock<Sort> = LazyLock::new(|| Sort::new(SortKind::Memory(64)));
        match offset_width {
            32 => *MEMORY_32,
            64 => *MEMORY_64,
            width => panic!("memory width {width}"),
        }
    }

    /// The sort of object identities.
    pub fn object() -> Sort {
        Sort::bv(crate::OBJECT_WIDTH)
    }

    pub fn is_bool(self) -> bool {
        self == Sort::bool()
    }

    /// The width, if this is a bit-vector sort.
    pub fn bv_width(self) -> Option<u32> {
        match self.0 {
            SortKind::BitVec(width) => Some(*width),
            _ => None,
        }
    }

    /// How many bytes a value of this sort takes in memory, if it can be there.
    pub fn bytes(self) -> Option<u32> {
        match self.0 {
            SortKind::BitVec(width) if width % 8 == 0 => Some(width / 8),
            SortKind::Float(format) if format.width() % 8 == 0 => Some(format.width() / 8),
            SortKind::Pointer(width) => Some(width / 8),
            _ => None,
        }
    }
}

impl PartialEq for Sort {
    fn eq(&self, other: &Sort) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Sort {}

impl Hash for Sort {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.0, state);
    }
}

impl PartialOrd for Sort {
    fn partial_cmp(&self, other: &Sort) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Sort {
    fn cmp(&self, other: &Sort) -> std::cmp::Ordering {
        if self == other { std::cmp::Ordering::Equal } else { self.0.cmp(other.0) }
    }
}

/// SMT-LIB's notation, with `(Ptr n)` and `(Mem n)` beside it.
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            SortKind::Bool => f.write_str("Bool"),
            SortKind::Int => f.write_str("Int"),
            SortKind::Real => f.write_str("Real"),
            SortKind::BitVec(width) => write!(f, "(_ BitVec {width})"),
            SortKind::Float(x) => write!(f, "(_ FloatingPoint {} {})", x.exponent, x.significand),
            SortKind::Array(index, element) => write!(f, "(Array {index} {element})"),
            SortKind::Uninterpreted(name, arguments) if arguments.is_empty() => write_sort_name(f, name.as_str()),
            SortKind::Uninterpreted(name, arguments) => {
                f.write_str("(")?;
                write_sort_name(f, name.as_str())?;
                arguments.iter().try_for_each(|a| write!(f, " {a}"))?;
                f.write_str(")")
            }
            SortKind::Pointer(width) => write!(f, "(Ptr {width})"),
            SortKind::Memory(width) => write!(f, "(Mem {width})"),
        }
    }
}

impl fmt::Debug for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
