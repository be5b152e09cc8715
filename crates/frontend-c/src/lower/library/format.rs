//! The formats of `printf` and its like, as C11's 7.21.6.1 has them.

/// A part of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Piece {
    /// Characters that stand for themselves, by their place in the format.
    Text {
        start: usize,
        length: usize,
    },
    Conversion(Conversion),
}

/// A width or a precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Amount {
    None,
    Fixed(i32),
    /// The next argument says it.
    Argument,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Conversion {
    pub left: bool,
    pub zero: bool,
    pub alternate: bool,
    /// What is written before a number that is not negative: `+`, a space or nothing.
    pub plus: Option<char>,
    pub width: Amount,
    pub precision: Amount,
    /// `hh`, `h`, `l`, `ll`, `j`, `z`, `t`, `L` or nothing.
    pub size: String,
    pub kind: char,
}

impl Conversion {
    /// The width in bits of the integer that is converted.
    pub fn bits(&self, pointer_width: u32) -> Option<u32> {
        Some(match self.size.as_str() {
            "hh" => 8,
            "h" => 16,
            "" => 32,
            "l" | "z" | "t" => pointer_width,
            "ll" | "j" | "q" | "L" => 64,
            _ => return None,
        })
    }
}

/// The parts of a format; nothing if there is a conversion that C does not have.
pub(super) fn pieces(format: &[u32]) -> Option<Vec<Piece>> {
    let text: Vec<char> = format.iter().take_while(|c| **c != 0).map_while(|c| char::from_u32(*c)).collect();
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let start = at;
        while at < text.len() && text[at] != '%' {
            at += 1;
        }
        if text.get(at) == Some(&'%') && text.get(at + 1) == Some(&'%') {
            // The first of the two is the text's last character.
            pieces.push(Piece::Text { start, length: at + 1 - start });
            at += 2;
            continue;
        }
        if at > start {
            pieces.push(Piece::Text { start, length: at - start });
        }
        if at < text.len() {
            at += 1;
            pieces.push(Piece::Conversion(conversion(&text, &mut at)?));
        }
    }
    Some(pieces)
}

fn conversion(text: &[char], at: &mut usize) -> Option<Conversion> {
    let mut found = Conversion {
        left: false,
        zero: false,
        alternate: false,
        plus: None,
        width: Amount::None,
        precision: Amount::None,
        size: String::new(),
        kind: '%',
    };
    while let Some(flag) = text.get(*at).filter(|c| "-0#+ ".contains(**c)) {
        match flag {
            '-' => found.left = true,
            '0' => found.zero = true,
            '#' => found.alternate = true,
            '+' => found.plus = Some('+'),
            _ => found.plus = found.plus.or(Some(' ')),
        }
        *at += 1;
    }
    found.width = amount(text, at)?;
    if text.get(*at) == Some(&'.') {
        *at += 1;
        found.precision = match amount(text, at)? {
            Amount::None => Amount::Fixed(0),
            given => given,
        };
    }
    while let Some(c) = text.get(*at).filter(|c| "hlqjztL".contains(**c)) {
        found.size.push(*c);
        *at += 1;
    }
    found.kind = *text.get(*at)?;
    *at += 1;
    "diouxXcspnfFeEgGaA".contains(found.kind).then_some(found)
}

fn amount(text: &[char], at: &mut usize) -> Option<Amount> {
    if text.get(*at) == Some(&'*') {
        *at += 1;
        return Some(Amount::Argument);
    }
    let start = *at;
    while text.get(*at).is_some_and(char::is_ascii_digit) {
        *at += 1;
    }
    let digits: String = text[start..*at].iter().collect();
    if digits.is_empty() { Some(Amount::None) } else { digits.parse().ok().map(Amount::Fixed) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: &str, expected: Option<&str>) {
        let codes: Vec<u32> = format.chars().map(u32::from).collect();
        let shown = pieces(&codes).map(|pieces| pieces.iter().map(show).collect::<Vec<_>>().join(" "));
        assert_eq!(shown.as_deref(), expected, "{format}");
    }

    fn show(piece: &Piece) -> String {
        match piece {
            Piece::Text { start, length } => format!("{start}+{length}"),
            Piece::Conversion(c) => {
                let flags = [(c.left, "-"), (c.zero, "0"), (c.alternate, "#")];
                let flags: String = flags.iter().filter(|(is, _)| *is).map(|(_, flag)| *flag).collect();
                format!("{flags}{}{:?}.{:?}{}{}", c.plus.unwrap_or_default(), c.width, c.precision, c.size, c.kind)
            }
        }
    }

    #[test]
    fn formats_are_taken_apart() {
        check("", Some(""));
        check("ab%%c", Some("0+3 4+1"));
        check("x%d", Some("0+1 \0None.Noned"));
        check("%-05.3lx%*.*s", Some("-0\0Fixed(5).Fixed(3)lx \0Argument.Arguments"));
        check("%+.f", Some("+None.Fixed(0)f"));
        check("%", None);
        check("%y", None);
        check("%1$d", None);
    }
}
