//! scratch
use engine::{Cancel, Engine, Run, Verdict};
use solver::{Profile, Smt, Z3};
fn main() {
    let text = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let program = ir::parse(&text).unwrap_or_else(|e| panic!("{e:?}"));
    let mut run = Run::new(Some(std::time::Duration::from_secs(60)), None, Cancel::new());
    let v = predicate::Folds.check(&program, &mut run);
    match v {
        Verdict::True(p) => {
            println!("PROVED");
            let solver = || -> Box<dyn Smt> { Box::new(Z3::new(Profile::Thorough)) };
            println!("{:?}", certify::check_proof(&program, &p, &solver));
        }
        Verdict::Unknown(r) => println!("{r}"),
        _ => {}
    }
}
