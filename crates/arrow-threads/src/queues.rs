//! Queues of limited length between threads. Channels of the standard library are used for waiting, but do not
//! transport the items. Their code is long, and would otherwise be compiled for each type of item.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{self, SyncSender, sync_channel},
    },
};

/// Makes a queue in which at most `n_waiting` items wait. If `n_waiting` is 0, a sender waits until its item is
/// received.
pub fn queue<T>(n_waiting: usize) -> (Sender<T>, Receiver<T>) {
    let (signal, signals) = sync_channel(n_waiting);
    let items = QueuedItems(Arc::new(Mutex::new(VecDeque::new())));
    (Sender { signal, items: items.clone() }, Receiver { signals, left: WaitingItems(items) })
}

/// The items that wait. The channel has a signal for each.
#[derive(Debug)]
struct QueuedItems<T>(Arc<Mutex<VecDeque<T>>>);

/// The end of a queue that puts items into it.
#[derive(Debug)]
pub struct Sender<T> {
    signal: SyncSender<()>,
    items: QueuedItems<T>,
}

/// Iterates over the items of a queue, in order. Ends when the queue is empty and all senders have been dropped.
#[derive(Debug)]
pub struct Receiver<T> {
    // Dropped first: after that, `Sender::send` returns an error and drops its item.
    signals: mpsc::Receiver<()>,
    left: WaitingItems<T>,
}

/// The waiting items of a receiver. They are dropped with the receiver, even if senders still exist.
#[derive(Debug)]
struct WaitingItems<T>(QueuedItems<T>);

/// The error of sending to a queue without a receiver.
#[derive(Debug)]
pub struct ClosedQueue;

impl<T> Sender<T> {
    /// Puts an item into the queue. Waits until there is room.
    ///
    /// # Errors
    /// If the receiver has been dropped. The item is then dropped.
    pub fn send(&self, item: T) -> Result<(), ClosedQueue> {
        self.items.lock().push_back(item);
        self.signal.send(()).map_err(|_| {
            self.items.clear();
            ClosedQueue
        })
    }
}

impl<T> Iterator for Receiver<T> {
    type Item = T;

    /// Waits for the next item.
    fn next(&mut self) -> Option<T> {
        self.signals.recv().ok()?;
        self.left.0.lock().pop_front()
    }
}

impl<T> Drop for WaitingItems<T> {
    fn drop(&mut self) {
        self.0.clear();
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Sender<T> {
        Sender { signal: self.signal.clone(), items: self.items.clone() }
    }
}

impl<T> Clone for QueuedItems<T> {
    fn clone(&self) -> QueuedItems<T> {
        QueuedItems(Arc::clone(&self.0))
    }
}

impl<T> QueuedItems<T> {
    fn lock(&self) -> MutexGuard<'_, VecDeque<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drops all items, after releasing the lock.
    fn clear(&self) {
        let items = std::mem::take(&mut *self.lock());
        drop(items);
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// All items of several senders arrive once. The items of one sender arrive in order.
    #[test]
    fn all_items_arrive() {
        for n_waiting in [0, 1, 3, 100] {
            let (send, received) = queue(n_waiting);
            let all: Vec<(usize, usize)> = thread::scope(|scope| {
                for sender in 0..4 {
                    let send = send.clone();
                    scope.spawn(move || (0..50).try_for_each(|number| send.send((sender, number))));
                }
                drop(send);
                received.collect()
            });
            for sender in 0..4 {
                let numbers = all.iter().filter(|(from, _)| *from == sender).map(|(_, number)| *number);
                assert!(numbers.eq(0..50), "{n_waiting} places");
            }
        }
    }

    /// The items are receivers of other queues. If they were not dropped, the senders of these queues would wait
    /// forever.
    #[test]
    fn what_is_left_is_dropped_with_the_receiver() {
        for n_received in 0..3 {
            let (send, mut received) = queue(2);
            thread::scope(|scope| {
                let sending = scope.spawn(move || {
                    let mut inner = Vec::new();
                    loop {
                        let (give, results) = queue(0);
                        inner.push(give);
                        if send.send(results).is_err() {
                            // The queue still has a sender here.
                            return inner.iter().all(|give| give.send(1).is_err());
                        }
                    }
                });
                let taken = received.by_ref().take(n_received).count();
                assert_eq!(taken, n_received);
                drop(received);
                assert!(sending.join().expect("it does not panic"));
            });
        }
    }
}
