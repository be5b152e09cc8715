//! The words of a text.

use source::Symbol;
use std::fmt;

/// A word with the bytes it covers.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub start: u32,
    pub end: u32,
    /// What a name, number or string says: a string without its quotes, a name without its escape.
    pub text: Symbol,
}

macro_rules! tokens {
    ($($name:ident $shown:literal,)*) => {
        /// What kind of word it is. Keywords that some dialects use as names are names here.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum TokenKind { $($name,)* }

        impl fmt::Display for TokenKind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(TokenKind::$name => $shown,)* })
            }
        }
    };
}

tokens! {
    End "the end of the text",
    Name "a name",
    Integer "a number",
    Real "a decimal number",
    BitVector "a bit-vector",
    Float "a floating-point number",
    String "a string",
    Unknown "an unknown character",

    LeftParen "`(`",
    RightParen "`)`",
    LeftBracket "`[`",
    RightBracket "`]`",
    LeftBrace "`{`",
    RightBrace "`}`",
    LeftAttribute "`{:`",
    LeftCode "`|{`",
    RightCode "`}|`",
    Comma "`,`",
    Semicolon "`;`",
    Colon "`:`",
    ColonColon "`::`",
    Assign "`:=`",
    Arrow "`->`",
    Iff "`<==>`",
    Implies "`==>`",
    Explies "`<==`",
    Or "`||`",
    And "`&&`",
    Eq "`==`",
    Ne "`!=`",
    Less "`<`",
    Greater "`>`",
    LessEq "`<=`",
    GreaterEq "`>=`",
    Extends "`<:`",
    Concat "`++`",
    Plus "`+`",
    Minus "`-`",
    Star "`*`",
    StarStar "`**`",
    Slash "`/`",
    Percent "`%`",
    Not "`!`",
    Bar "`|`",
    Is "`=`",

    KwAssert "`assert`",
    KwAssume "`assume`",
    KwAxiom "`axiom`",
    KwBool "`bool`",
    KwBreak "`break`",
    KwCall "`call`",
    KwConst "`const`",
    KwDiv "`div`",
    KwElse "`else`",
    KwEnsures "`ensures`",
    KwExists "`exists`",
    KwFalse "`false`",
    KwForall "`forall`",
    KwFree "`free`",
    KwFunction "`function`",
    KwGoto "`goto`",
    KwHavoc "`havoc`",
    KwIf "`if`",
    KwImplementation "`implementation`",
    KwInt "`int`",
    KwInvariant "`invariant`",
    KwLambda "`lambda`",
    KwMod "`mod`",
    KwModifies "`modifies`",
    KwOld "`old`",
    KwProcedure "`procedure`",
    KwReal "`real`",
    KwRequires "`requires`",
    KwReturn "`return`",
    KwReturns "`returns`",
    KwThen "`then`",
    KwTrue "`true`",
    KwType "`type`",
    KwUnique "`unique`",
    KwVar "`var`",
    KwWhere "`where`",
    KwWhile "`while`",
}

/// The kind of a word that is made of letters.
pub fn keyword(word: &[u8]) -> TokenKind {
    use TokenKind::*;
    match word {
        b"assert" => KwAssert,
        b"assume" => KwAssume,
        b"axiom" => KwAxiom,
        b"bool" => KwBool,
        b"break" => KwBreak,
        b"call" => KwCall,
        b"const" => KwConst,
        b"div" => KwDiv,
        b"else" => KwElse,
        b"ensures" => KwEnsures,
        b"exists" => KwExists,
        b"false" => KwFalse,
        b"forall" => KwForall,
        b"free" => KwFree,
        b"function" => KwFunction,
        b"goto" => KwGoto,
        b"havoc" => KwHavoc,
        b"if" => KwIf,
        b"implementation" => KwImplementation,
        b"int" => KwInt,
        b"invariant" => KwInvariant,
        b"lambda" => KwLambda,
        b"mod" => KwMod,
        b"modifies" => KwModifies,
        b"old" => KwOld,
        b"procedure" => KwProcedure,
        b"real" => KwReal,
        b"requires" => KwRequires,
        b"return" => KwReturn,
        b"returns" => KwReturns,
        b"then" => KwThen,
        b"true" => KwTrue,
        b"type" => KwType,
        b"unique" => KwUnique,
        b"var" => KwVar,
        b"where" => KwWhere,
        b"while" => KwWhile,
        _ => Name,
    }
}
