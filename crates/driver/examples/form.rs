//! Prints forms (scratch).
use driver::load::{Request, load};
use driver::pipeline::{Executions, Form};
use pass::{Rest, integers};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let request = Request {
        file: args[1].clone().into(),
        properties: vec![args[2].clone()],
        data_model: Some(ir::DataModel::Ilp32),
        ..Request::default()
    };
    let loaded = load(&request).unwrap_or_else(|e| panic!("{:?}", e.diagnostics));
    if args[3] == "flat" || args[3] == "calls" {
        let form = if args[3] == "flat" { Form::Flat } else { Form::Calls };
        let passed = form.make(&loaded.program, 1, Executions::All).unwrap_or_else(|e| panic!("{e}"));
        println!("{}", ir::print(&passed.program));
        let view = integers(&passed.program, Rest::Kept, |_| false).unwrap();
        println!("=====\n{}", ir::print(&view.program));
    } else {
        println!("{}", ir::print(&loaded.program));
    }
}
