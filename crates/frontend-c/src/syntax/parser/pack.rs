//! `#pragma pack`, and the pragmas that would change the layout of structs in ways that Fathom does not know.

use crate::syntax::lexer::Pragma;
use source::Diagnostic;

/// For each pragma that changes it, the first token it holds for, and the largest alignment of members from there on.
#[derive(Debug)]
pub(super) struct Packing(Vec<(usize, Option<u32>)>);

impl Packing {
    pub fn new(pragmas: &[Pragma], diagnostics: &mut Vec<Diagnostic>) -> Packing {
        let mut changes = Vec::new();
        let mut current = None;
        let mut saved: Vec<(Option<&str>, Option<u32>)> = Vec::new();
        for pragma in pragmas {
            let words: Vec<&str> =
                pragma.text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
            match words.as_slice() {
                ["pack", arguments @ ..] => {
                    pack(arguments, &mut current, &mut saved);
                    changes.push((pragma.before, current));
                }
                [name @ ("ms_struct" | "scalar_storage_order"), ..] => {
                    diagnostics.push(Diagnostic::error(pragma.span, format!("`#pragma {name}` is not supported")));
                }
                _ => {}
            }
        }
        Packing(changes)
    }

    /// The largest alignment of members of a struct whose definition ends with this token.
    pub fn at(&self, token: usize) -> Option<u32> {
        let count = self.0.partition_point(|(before, _)| *before <= token);
        self.0[..count].last().and_then(|(_, largest)| *largest)
    }
}

/// `pack()`, `pack(n)`, `pack(push)`, `pack(push, n)`, `pack(push, name, n)`, `pack(pop)`, `pack(pop, name)`. What gcc
/// would warn about and ignore is ignored.
fn pack<'a>(arguments: &[&'a str], current: &mut Option<u32>, saved: &mut Vec<(Option<&'a str>, Option<u32>)>) {
    let size = |text: &str| match text.parse() {
        Ok(0) => Some(None),
        Ok(size @ (1 | 2 | 4 | 8 | 16)) => Some(Some(size)),
        _ => None,
    };
    match arguments {
        [] => *current = None,
        ["push", rest @ ..] => {
            let name = rest.first().copied().filter(|word| word.parse::<u32>().is_err());
            saved.push((name, *current));
            if let Some(new) = rest.last().and_then(|word| size(word)) {
                *current = new;
            }
        }
        ["pop"] => {
            if let Some((_, before)) = saved.pop() {
                *current = before;
            }
        }
        ["pop", name] => {
            if let Some(at) = saved.iter().rposition(|(saved, _)| *saved == Some(*name)) {
                *current = saved[at].1;
                saved.truncate(at);
            }
        }
        [text] => {
            if let Some(new) = size(text) {
                *current = new;
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stack_of_packings() {
        let steps: [(&[&str], Option<u32>); 11] = [
            (&["push", "1"], Some(1)),
            (&["push"], Some(1)),
            (&["4"], Some(4)),
            (&["3"], Some(4)),
            (&["pop"], Some(1)),
            (&["push", "outer", "2"], Some(2)),
            (&["push", "8"], Some(8)),
            (&["pop", "outer"], Some(1)),
            (&["pop"], None),
            (&["16"], Some(16)),
            (&[], None),
        ];
        let (mut current, mut saved) = (None, Vec::new());
        for (arguments, expected) in steps {
            pack(arguments, &mut current, &mut saved);
            assert_eq!(current, expected, "{arguments:?}");
        }
    }
}
