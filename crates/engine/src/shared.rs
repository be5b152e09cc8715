//! What one engine computes of a program and others beside it can use.

use std::any::Any;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Results by what they are results of. Each is computed once; whoever wants it meanwhile waits.
#[derive(Default)]
pub struct Shared(Mutex<Vec<Arc<dyn Any + Send + Sync>>>);

struct Entry<K, V> {
    key: K,
    value: OnceLock<V>,
}

impl Shared {
    /// The result for a key: what was computed for an equal one, or what is computed now.
    pub fn once<K, V>(&self, key: K, compute: impl FnOnce(&K) -> V) -> V
    where
        K: PartialEq + Send + Sync + 'static,
        V: Clone + Send + Sync + 'static,
    {
        // One who broke while holding the lock left nothing half done.
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut known = all.iter().filter_map(|entry| entry.clone().downcast::<Entry<K, V>>().ok());
        let entry = known.find(|entry| entry.key == key);
        let entry = entry.unwrap_or_else(|| {
            let new = Arc::new(Entry { key, value: OnceLock::new() });
            all.push(new.clone());
            new
        });
        drop(all);
        entry.value.get_or_init(|| compute(&entry.key)).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_are_computed_once() {
        let shared = Shared::default();
        assert_eq!(shared.once("a", |key| key.len()), 1);
        assert_eq!(shared.once("a", |_| 7usize), 1);
        assert_eq!(shared.once("b", |_| 7usize), 7);
        // The same key of a result of another kind.
        assert_eq!(shared.once("a", |key| key.to_string()), "a");
    }
}
