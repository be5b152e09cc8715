//! The library functions that gcc knows by itself, with their types.
//!
//! A program that calls one of them without declaring it, or calls `__builtin_` with its name, gets a declaration with
//! the right type.

use super::super::Checker;
use super::super::scope::Entity;
use crate::hir::{ExprId, FunctionId};
use crate::types::{FloatKind, FunctionType, IntKind, Qualifiers, Ty};
use source::{Span, Symbol};

/// Names by signature: first the letter of the result's type, then those of the parameters; a dot means `...`.
/// [`Checker::letter`] says what letters mean.
const FUNCTIONS: &[(&str, &str)] = &[
    ("pPiz", "memchr"),
    ("iPPz", "memcmp bcmp"),
    ("ppPz", "memcpy memmove mempcpy"),
    ("vPpz", "bcopy"),
    ("ppiz", "memset"),
    ("vpz", "bzero"),
    ("ssS", "strcpy strcat stpcpy"),
    ("ssSz", "strncpy strncat stpncpy"),
    ("iSS", "strcmp strcasecmp"),
    ("iSSz", "strncmp strncasecmp"),
    ("zS", "strlen"),
    ("zSz", "strnlen"),
    ("sSi", "strchr strrchr index rindex"),
    ("zSS", "strcspn strspn"),
    ("sSS", "strpbrk strstr"),
    ("sS", "strdup"),
    ("sSz", "strndup"),
    ("pz", "malloc valloc alloca"),
    ("pzz", "calloc aligned_alloc"),
    ("ppz", "realloc"),
    ("vp", "free"),
    ("v", "abort"),
    ("vi", "exit _exit _Exit"),
    (
        "ii",
        "abs isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit toascii tolower toupper putchar putchar_unlocked",
    ),
    ("ll", "labs"),
    ("qq", "llabs imaxabs"),
    ("iS", "puts puts_unlocked"),
    ("iip", "fputc fputc_unlocked"),
    ("iSp", "fputs fputs_unlocked"),
    ("zPzzp", "fwrite fwrite_unlocked"),
    ("iS.", "printf printf_unlocked scanf"),
    ("ipS.", "fprintf fprintf_unlocked fscanf"),
    ("isS.", "sprintf"),
    ("iszS.", "snprintf"),
    ("iSS.", "sscanf"),
    ("iSa", "vprintf vscanf"),
    ("ipSa", "vfprintf vfscanf"),
    ("isSa", "vsprintf"),
    ("iszSa", "vsnprintf"),
    ("iSSa", "vsscanf"),
    ("i", "fork"),
    ("iSs.", "execl execlp execle"),
    ("zszSp", "strftime"),
];

/// Functions on `double`, which have variants for `float` and `long double` with `f` and `l` behind their names.
const MATHEMATICS: &[(&str, &str)] = &[
    (
        "dd",
        "acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp10 exp2 expm1 fabs floor gamma j0 j1 lgamma log \
         log10 log1p log2 logb nearbyint rint round roundeven significand sin sinh sqrt tan tanh tgamma trunc y0 y1",
    ),
    ("ddd", "atan2 copysign drem fdim fmax fmin fmod hypot nextafter pow remainder scalb"),
    ("dde", "nexttoward"),
    ("dddd", "fma"),
    ("ddi", "ldexp scalbn"),
    ("ddl", "scalbln"),
    ("did", "jn yn"),
    ("ddI", "frexp"),
    ("ddD", "modf"),
    ("dddI", "remquo"),
    ("id", "ilogb"),
    ("ld", "lrint lround lceil lfloor"),
    ("qd", "llrint llround llceil llfloor"),
    ("vdDD", "sincos"),
];

fn find(table: &'static [(&str, &str)], name: &str) -> Option<&'static str> {
    table.iter().find(|(_, names)| names.split_whitespace().any(|known| known == name)).map(|(signature, _)| *signature)
}

/// The signature of a function, and what its letter `d` means.
fn signature(name: &str) -> Option<(&'static str, FloatKind)> {
    if let Some(found) = find(FUNCTIONS, name).or_else(|| find(MATHEMATICS, name)) {
        return Some((found, FloatKind::Double));
    }
    let (base, kind) = match name.strip_suffix('f') {
        Some(base) => (base, FloatKind::Float),
        None => (name.strip_suffix('l')?, FloatKind::LongDouble),
    };
    find(MATHEMATICS, base).map(|found| (found, kind))
}

/// A function that checks the sizes of its targets, by its plain name, with the arguments that that has.
pub(super) fn without_check(name: &str, values: &[ExprId]) -> Option<(&'static str, Vec<ExprId>)> {
    let (plain, dropped): (_, &[usize]) = match name.strip_prefix("__")?.strip_suffix("_chk")? {
        "memcpy" => ("memcpy", &[3]),
        "memmove" => ("memmove", &[3]),
        "mempcpy" => ("mempcpy", &[3]),
        "memset" => ("memset", &[3]),
        "strcpy" => ("strcpy", &[2]),
        "stpcpy" => ("stpcpy", &[2]),
        "strcat" => ("strcat", &[2]),
        "strncpy" => ("strncpy", &[3]),
        "stpncpy" => ("stpncpy", &[3]),
        "strncat" => ("strncat", &[3]),
        "sprintf" => ("sprintf", &[1, 2]),
        "vsprintf" => ("vsprintf", &[1, 2]),
        "snprintf" => ("snprintf", &[2, 3]),
        "vsnprintf" => ("vsnprintf", &[2, 3]),
        "printf" => ("printf", &[0]),
        "vprintf" => ("vprintf", &[0]),
        "fprintf" => ("fprintf", &[1]),
        "vfprintf" => ("vfprintf", &[1]),
        _ => return None,
    };
    let kept = values.iter().enumerate().filter(|(at, _)| !dropped.contains(at)).map(|(_, value)| *value);
    Some((plain, kept.collect()))
}

impl Checker<'_> {
    /// The library function of this name: as the program declares it, or as gcc knows it.
    pub(in crate::check) fn library_function(&mut self, name: &str, span: Span) -> Option<FunctionId> {
        let (signature, float) = signature(name)?;
        let symbol = Symbol::new(name);
        match self.linked.get(&symbol) {
            Some(Entity::Function(function)) => return Some(*function),
            Some(_) => return None,
            None => {}
        }
        let (signature, is_variadic) = match signature.strip_suffix('.') {
            Some(signature) => (signature, true),
            None => (signature, false),
        };
        let mut letters = signature.chars().map(|letter| self.letter(letter, float));
        let result = letters.next()?;
        let parameters: Vec<Ty> = letters.collect();
        let ty = self.types.function(FunctionType {
            result,
            parameters: parameters.into_boxed_slice(),
            is_variadic,
            is_prototype: true,
        });
        let function = self.new_function(symbol, ty, span);
        self.functions[function.index()].is_noreturn = matches!(name, "abort" | "exit" | "_exit" | "_Exit");
        Some(function)
    }

    /// What a letter of a signature means, where `d` is this floating type.
    fn letter(&mut self, letter: char, float: FloatKind) -> Ty {
        let mut pointer = |target: Ty, is_const: bool| {
            let target = if is_const { self.types.qualified(target, Qualifiers::CONST) } else { target };
            self.types.pointer(target)
        };
        match letter {
            'p' => pointer(Ty::VOID, false),
            'P' => pointer(Ty::VOID, true),
            's' => pointer(Ty::CHAR, false),
            'S' => pointer(Ty::CHAR, true),
            'I' => pointer(Ty::INT, false),
            'D' => pointer(Ty::float(float), false),
            'i' => Ty::INT,
            'l' => Ty::LONG,
            'q' => Ty::int(IntKind::LongLong),
            'z' => self.types.size_type(),
            'd' => Ty::float(float),
            'e' => Ty::float(FloatKind::LongDouble),
            'a' => {
                let list = self.va_list_type();
                self.decayed(list)
            }
            _ => Ty::VOID,
        }
    }
}
