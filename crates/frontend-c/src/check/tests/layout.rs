//! Sizes and positions of members, against what gcc 12 says.
//!
//! `data/layout.txt` holds definitions, many of them random, each followed by what gcc reports for `-m32` and `-m64`:
//! size, alignment, and for each member its offset in bytes, or for a bit-field its first bit and its width.

use super::super::{Dialect, check};
use crate::syntax;
use crate::types::Record;
use ir::DataModel;
use source::SourceMap;

fn shown(record: &Record) -> String {
    let Some(layout) = &record.layout else { return "incomplete".to_owned() };
    let fields = layout.fields.iter().map(|field| {
        let name = field.name.map_or("", |name| name.as_str());
        match field.bits {
            None => format!(" {name}@{}", field.offset),
            Some(bits) => format!(" {name}@{}:{}", field.offset * 8 + u64::from(bits.shift), bits.width),
        }
    });
    format!("{} {}{}", layout.size, layout.align, fields.collect::<String>())
}

fn check_layouts(model: DataModel, prefix: &str) {
    let data = include_str!("data/layout.txt");
    let is_expectation = |line: &&str| line.starts_with("32: ") || line.starts_with("64: ");
    let program: String = data.lines().filter(|line| !is_expectation(line)).flat_map(|line| [line, "\n"]).collect();
    let mut map = SourceMap::new();
    let file = map.add("layout.c", program.into());
    let (unit, errors) = syntax::parse(&mut map, file);
    assert_eq!(errors, []);
    let unit = check(&unit, &map, Dialect { model, has_gnu_inline: false }).unwrap();
    let records: Vec<&Record> = unit.types.records().filter(|record| record.tag.is_some()).collect();
    let expected: Vec<&str> = data.lines().filter_map(|line| line.strip_prefix(prefix)).collect();
    assert_eq!(records.len(), expected.len());
    for (record, expected) in records.iter().zip(expected) {
        assert_eq!(shown(record), expected, "{:?}", record.tag);
        // A unit lies inside its record and holds its field.
        let layout = record.layout.as_ref().unwrap();
        for field in &layout.fields {
            if let Some(bits) = field.bits {
                assert!(field.offset + u64::from(bits.unit) <= layout.size);
                assert!(bits.shift + bits.width <= bits.unit * 8);
            }
        }
    }
}

#[test]
fn layouts_are_those_of_gcc() {
    check_layouts(DataModel::Ilp32, "32: ");
    check_layouts(DataModel::Lp64, "64: ");
}
