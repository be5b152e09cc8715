//! Rules for bit-vectors: shifts by constants and masks become extracts and extensions, which compose.

use crate::{Op, Term, build};

pub(super) fn rule(term: Term) -> Option<Term> {
    let width = term.sort().bv_width()?;
    let constant = |n: usize| term.args().get(n).and_then(|a| a.as_bv()).map(|k| k.unsigned());
    Some(match (term.op(), term.args()) {
        (Op::BvLshr, [x, _]) => {
            let by = u32::try_from(constant(1)?).ok().filter(|by| *by < width)?;
            build::zero_extend(width, build::extract(width - 1, by, *x))
        }
        (Op::BvAshr, [x, _]) => {
            let by = u32::try_from(constant(1)?).ok().filter(|by| *by < width)?;
            build::sign_extend(width, build::extract(width - 1, by, *x))
        }
        // A mask of low bits.
        (Op::BvAnd, [x, _]) => {
            let mask = constant(1)?;
            let ones = mask.trailing_ones();
            (mask == crate::bits::mask_up_to(ones) && (1..width).contains(&ones)).then_some(())?;
            build::zero_extend(width, build::extract(ones - 1, 0, *x))
        }
        // The upper bits of a product by a power of two are those of the other factor.
        (Op::Extract { high, low }, [product]) if *product.op() == Op::BvMul => {
            let factor = product.args()[1].as_bv()?;
            let zeros = factor.unsigned().trailing_zeros();
            (0 < zeros && zeros <= *low).then_some(())?;
            let reduced = build::bv(factor.width(), factor.unsigned() >> zeros);
            build::extract(high - zeros, low - zeros, build::bv_mul(product.args()[0], reduced))
        }
        // Low bits of sums and products are sums and products of low bits.
        (Op::Extract { high, low: 0 }, [inner])
            if matches!(inner.op(), Op::BvAdd | Op::BvSub | Op::BvMul | Op::BvNeg) =>
        {
            let parts: Vec<Term> = inner.args().iter().map(|a| build::extract(*high, 0, *a)).collect();
            let grows = parts.iter().filter(|p| matches!(p.op(), Op::Extract { .. })).count();
            (grows <= 1).then_some(())?;
            build::make(inner.op(), &parts)
        }
        (Op::Extract { high, low }, [inner]) if matches!(inner.op(), Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvNot) => {
            let parts: Vec<Term> = inner.args().iter().map(|a| build::extract(*high, *low, *a)).collect();
            let grows = parts.iter().filter(|p| matches!(p.op(), Op::Extract { .. })).count();
            (grows <= 1).then_some(())?;
            build::make(inner.op(), &parts)
        }
        // What was an integer only in between.
        (Op::IntToBv(to), [sum]) if matches!(sum.op(), Op::Add | Op::Sub | Op::Mul | Op::Neg) => {
            let from_vector = |t: &Term| matches!(t.op(), Op::BvToInt { .. } | Op::Const(_));
            sum.args().iter().all(from_vector).then_some(())?;
            let parts: Vec<Term> = sum.args().iter().map(|a| build::int_to_bv(*to, *a)).collect();
            let op = match sum.op() {
                Op::Add => Op::BvAdd,
                Op::Sub => Op::BvSub,
                Op::Mul => Op::BvMul,
                _ => Op::BvNeg,
            };
            build::make(&op, &parts)
        }
        _ => return None,
    })
}
