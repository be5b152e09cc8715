//! Tokens: what the lexer cuts a text into.

use std::fmt;

/// One token; `name` is the key of a name or keyword in the lexer's table of names, and 0 for others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub start: u32,
    pub end: u32,
    pub name: u32,
}

macro_rules! tokens {
    (
        kinds { $($kind:ident $meaning:literal)* }
        punctuators { $($punctuator:ident $text:literal)* }
        keywords { $($keyword:ident $($spelling:literal)+;)* }
    ) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum TokenKind { $($kind,)* $($punctuator,)* $($keyword,)* }

        impl TokenKind {
            /// Every spelling of every keyword.
            pub const KEYWORDS: &'static [(&'static str, TokenKind)] =
                &[$($(($spelling, TokenKind::$keyword),)+)*];
        }

        /// How a diagnostic names what it expected.
        impl fmt::Display for TokenKind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $(TokenKind::$kind => $meaning,)*
                    $(TokenKind::$punctuator => concat!("`", $text, "`"),)*
                    $(TokenKind::$keyword => first(&[$(concat!("`", $spelling, "`")),+]),)*
                })
            }
        }
    };
}

/// The usual spelling of a keyword comes first.
fn first(spellings: &[&'static str]) -> &'static str {
    spellings[0]
}

tokens! {
    kinds {
        End "the end of the file"
        Name "a name"
        Number "a number"
        Char "a character constant"
        String "a string"
    }
    punctuators {
        LeftParen "(" RightParen ")" LeftBracket "[" RightBracket "]" LeftBrace "{" RightBrace "}"
        Semicolon ";" Comma "," Dot "." Arrow "->" Ellipsis "..." Colon ":" Question "?"
        Plus "+" Minus "-" Star "*" Slash "/" Percent "%"
        Ampersand "&" Pipe "|" Caret "^" Tilde "~" Bang "!"
        AndAnd "&&" OrOr "||" ShiftLeft "<<" ShiftRight ">>"
        Less "<" Greater ">" LessEqual "<=" GreaterEqual ">=" EqualEqual "==" NotEqual "!="
        PlusPlus "++" MinusMinus "--"
        Equal "=" StarEqual "*=" SlashEqual "/=" PercentEqual "%=" PlusEqual "+=" MinusEqual "-="
        ShiftLeftEqual "<<=" ShiftRightEqual ">>=" AmpersandEqual "&=" CaretEqual "^=" PipeEqual "|="
    }
    keywords {
        Auto "auto";
        Break "break";
        Case "case";
        CharType "char";
        Const "const" "__const" "__const__";
        Continue "continue";
        Default "default";
        Do "do";
        Double "double";
        Else "else";
        Enum "enum";
        Extern "extern";
        Float "float";
        For "for";
        Goto "goto";
        If "if";
        Inline "inline" "__inline" "__inline__";
        Int "int";
        Long "long";
        Register "register";
        Restrict "restrict" "__restrict" "__restrict__";
        Return "return";
        Short "short";
        Signed "signed" "__signed" "__signed__";
        Sizeof "sizeof";
        Static "static";
        Struct "struct";
        Switch "switch";
        Typedef "typedef";
        Union "union";
        Unsigned "unsigned";
        Void "void";
        Volatile "volatile" "__volatile" "__volatile__";
        While "while";
        Alignas "_Alignas";
        Alignof "_Alignof" "__alignof" "__alignof__";
        Atomic "_Atomic";
        Bool "_Bool";
        Complex "_Complex" "__complex" "__complex__";
        Generic "_Generic";
        Noreturn "_Noreturn";
        StaticAssert "_Static_assert";
        ThreadLocal "_Thread_local" "__thread";
        Asm "asm" "__asm" "__asm__";
        Attribute "__attribute__" "__attribute";
        AutoType "__auto_type";
        Extension "__extension__";
        Imag "__imag__" "__imag";
        Real "__real__" "__real";
        Label "__label__";
        Typeof "typeof" "__typeof" "__typeof__";
        Int128 "__int128" "__int128__" "__int128_t";
        Unsigned128 "__uint128_t";
        Float16 "_Float16";
        Float32 "_Float32";
        Float64 "_Float64";
        Float128 "_Float128" "__float128";
        Float32x "_Float32x";
        Float64x "_Float64x";
        Float80 "__float80";
        Decimal32 "_Decimal32";
        Decimal64 "_Decimal64";
        Decimal128 "_Decimal128";
        VaList "__builtin_va_list";
        VaArg "__builtin_va_arg";
        Offsetof "__builtin_offsetof";
        TypesCompatible "__builtin_types_compatible_p";
        ChooseExpr "__builtin_choose_expr";
    }
}
