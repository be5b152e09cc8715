//! Sets of vectors of machine integers that are closed under addition and multiplication by numbers: modules over the
//! integers modulo a power of two.
//!
//! A set is kept as generators in triangular form: no two have their first entry that is not zero, the leading one, at the same
//! place, and leading entries are powers of two. With a generator also its smallest multiple without the leading
//! entry is in the span of the later ones, so whether a vector is in the set is found by one pass over its entries.

/// A set of vectors modulo 2^width.
#[derive(Clone, PartialEq, Debug)]
pub struct Span {
    width: u32,
    /// By the place of the leading entry.
    generators: Vec<Option<Vec<u64>>>,
}

/// The numbers modulo 2^width, as a mask.
pub fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The inverse of an odd number, modulo 2^64: each round doubles the number of right bits.
pub fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

/// `to` plus a multiple of `from`, entry by entry.
fn add(to: &mut [u64], from: &[u64], factor: u64, mask: u64) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = to.wrapping_add(from.wrapping_mul(factor)) & mask;
    }
}

fn scale(vector: &mut [u64], factor: u64, mask: u64) {
    vector.iter_mut().for_each(|entry| *entry = entry.wrapping_mul(factor) & mask);
}

impl Span {
    /// The set with nothing but zero, of vectors of a length.
    pub fn new(width: u32, length: usize) -> Span {
        Span { width, generators: vec![None; length] }
    }

    pub fn generators(&self) -> impl Iterator<Item = &Vec<u64>> {
        self.generators.iter().flatten()
    }

    /// Adds a vector and all that it generates; whether it was not there.
    pub fn add(&mut self, vector: Vec<u64>) -> bool {
        let mask = mask(self.width);
        let mut changed = false;
        let mut pending = vec![vector];
        while let Some(mut vector) = pending.pop() {
            while let Some(place) = vector.iter().position(|entry| *entry != 0) {
                let twos = vector[place].trailing_zeros();
                let odd = vector[place] >> twos;
                match &mut self.generators[place] {
                    Some(generator) if generator[place].trailing_zeros() <= twos => {
                        let factor = vector[place] >> generator[place].trailing_zeros();
                        add(&mut vector, generator, factor.wrapping_neg(), mask);
                    }
                    slot => {
                        scale(&mut vector, inverse(odd), mask);
                        // The multiple without the leading entry is generated as well.
                        let mut multiple = vector.clone();
                        scale(&mut multiple, if twos == 0 { 0 } else { 1 << (self.width - twos) }, mask);
                        pending.push(multiple);
                        pending.extend(slot.replace(vector));
                        changed = true;
                        break;
                    }
                }
            }
        }
        changed
    }

    /// Keeps the vectors whose product with a row is zero.
    pub fn meet(&mut self, row: &[u64]) {
        let mask = mask(self.width);
        let product = |vector: &Vec<u64>| {
            vector.iter().zip(row).map(|(a, b)| a.wrapping_mul(*b)).fold(0, u64::wrapping_add) & mask
        };
        let products: Vec<(Vec<u64>, u64)> = self.generators().map(|one| (one.clone(), product(one))).collect();
        let nonzero = products.iter().filter(|(_, product)| *product != 0);
        let Some((chosen, least)) = nonzero.min_by_key(|(_, product)| product.trailing_zeros()).cloned() else {
            return;
        };
        let twos = least.trailing_zeros();
        let inverse = inverse(least >> twos);
        *self = Span::new(self.width, row.len());
        for (mut vector, product) in products {
            match vector == chosen {
                // Of the vector itself, the multiples are left whose product vanishes.
                true => scale(&mut vector, if twos == 0 { 0 } else { 1 << (self.width - twos) }, mask),
                false => add(&mut vector, &chosen, (product >> twos).wrapping_mul(inverse).wrapping_neg(), mask),
            }
            self.add(vector);
        }
    }

    /// Generators of all vectors whose product with each vector of this set is zero.
    pub fn annihilators(&self) -> Vec<Vec<u64>> {
        let (mask, length) = (mask(self.width), self.generators.len());
        let unit = |place: usize| (0..length).map(|other| u64::from(other == place)).collect();
        let mut found: Vec<Vec<u64>> = (0..length).map(unit).collect();
        for generator in self.generators() {
            let product = |vector: &Vec<u64>| {
                let products = vector.iter().zip(generator).map(|(a, b)| a.wrapping_mul(*b));
                products.fold(0, u64::wrapping_add) & mask
            };
            let products: Vec<u64> = found.iter().map(product).collect();
            let nonzero = products.iter().enumerate().filter(|(_, product)| **product != 0);
            let Some((pivot, _)) = nonzero.min_by_key(|(_, product)| product.trailing_zeros()) else { continue };
            let twos = products[pivot].trailing_zeros();
            let inverse = inverse(products[pivot] >> twos);
            let chosen = found[pivot].clone();
            for (vector, product) in found.iter_mut().zip(&products) {
                if *product != 0 {
                    add(vector, &chosen, (product >> twos).wrapping_mul(inverse).wrapping_neg(), mask);
                }
            }
            // Of the pivot itself, the multiples are left whose product vanishes.
            found[pivot] = chosen;
            scale(&mut found[pivot], if twos == 0 { 0 } else { 1 << (self.width - twos) }, mask);
            found.retain(|vector| vector.iter().any(|entry| *entry != 0));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The set generated by vectors, by trying everything.
    fn all(width: u32, length: usize, vectors: &[Vec<u64>]) -> std::collections::BTreeSet<Vec<u64>> {
        let mut set = std::collections::BTreeSet::from([vec![0; length]]);
        loop {
            let sums = set.iter().flat_map(|one| vectors.iter().map(move |other| (one, other)));
            let sums: Vec<Vec<u64>> =
                sums.map(|(a, b)| a.iter().zip(b).map(|(a, b)| (a + b) & mask(width)).collect()).collect();
            let before = set.len();
            set.extend(sums);
            if set.len() == before {
                return set;
            }
        }
    }

    /// Membership and annihilators, against their definitions.
    #[test]
    fn spans_are_what_they_generate() {
        let (width, length) = (3, 3);
        let mut random = term::random::Random::new(7);
        for _ in 0..200 {
            let vectors: Vec<Vec<u64>> =
                (0..random.below(4)).map(|_| (0..length).map(|_| random.below(8) as u64).collect()).collect();
            let mut span = Span::new(width, length);
            vectors.iter().for_each(|vector| {
                span.add(vector.clone());
            });
            let expected = all(width, length, &vectors);
            let annihilators = span.annihilators();
            let zeros = all(width, length, &annihilators);
            for number in 0..512u64 {
                let vector = vec![number & 7, (number >> 3) & 7, number >> 6];
                assert_eq!(!span.clone().add(vector.clone()), expected.contains(&vector), "{vectors:?} {vector:?}");
                let vanishes =
                    vectors.iter().all(|v| v.iter().zip(&vector).map(|(a, b)| a * b).sum::<u64>() & mask(width) == 0);
                assert_eq!(vanishes, zeros.contains(&vector), "{vectors:?} {vector:?} {annihilators:?}");
            }
            let row: Vec<u64> = (0..length).map(|_| random.below(8) as u64).collect();
            let product = |vector: &[u64]| vector.iter().zip(&row).map(|(a, b)| a * b).sum::<u64>() & mask(width);
            let mut met = span.clone();
            met.meet(&row);
            let met = all(width, length, &met.generators().cloned().collect::<Vec<_>>());
            let expected: std::collections::BTreeSet<Vec<u64>> =
                expected.into_iter().filter(|vector| product(vector) == 0).collect();
            assert_eq!(met, expected, "{vectors:?} {row:?}");
        }
    }
}
