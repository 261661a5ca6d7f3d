//! The global allocator. What a usual trial needs comes out of a fixed arena inside the instance's
//! initial memory, so that it never calls `memory.grow`, which would cost the host two `mprotect`
//! calls a trial. What does not fit goes to libc's allocator, which frees and grows as usual.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, UnsafeCell};
use std::mem::MaybeUninit;
use std::ptr;

/// 1 MiB holds all that grading a usual case takes. It takes no room in the component's file, and
/// the host maps a page of it only when it is touched.
#[cfg(target_os = "wasi")]
#[global_allocator]
static ARENA: Arena<{ 1 << 20 }> = Arena::new();

/// A stack of blocks: the topmost can grow, shrink and be freed. A block freed under it is used
/// again only when the one above it goes too, which wastes at most the arena.
struct Arena<const SIZE: usize> {
    bytes: UnsafeCell<[MaybeUninit<u8>; SIZE]>,
    used: Cell<usize>,
}

// SAFETY: wasm32-wasip2 has no threads, and nothing here is called back while it runs.
#[cfg(target_os = "wasi")]
unsafe impl<const SIZE: usize> Sync for Arena<SIZE> {}

impl<const SIZE: usize> Arena<SIZE> {
    const fn new() -> Self {
        Self { bytes: UnsafeCell::new([MaybeUninit::uninit(); SIZE]), used: Cell::new(0) }
    }

    fn base(&self) -> *mut u8 {
        self.bytes.get().cast()
    }

    /// How far into the arena `block` starts, or none when it is libc's.
    fn offset(&self, block: *const u8) -> Option<usize> {
        let offset = block.addr().wrapping_sub(self.base().addr());
        (offset < SIZE).then_some(offset)
    }

    /// Makes the block from `start` the topmost, if `size` bytes are left for it.
    fn take(&self, start: usize, size: usize) -> bool {
        let fits = start <= SIZE && size <= SIZE - start;
        if fits {
            self.used.set(start + size);
        }
        fits
    }

    /// Where the next block of this alignment starts.
    fn next(&self, align: usize) -> usize {
        let base = self.base().addr();
        (base + self.used.get()).next_multiple_of(align) - base
    }
}

// SAFETY: blocks of the arena do not overlap, for each starts at or above `used`, and `used` falls
// only to the start of the topmost block when that one is freed or to its end when it shrinks. All
// others are libc's, and go back to it. A block stays what it was when an allocation fails.
unsafe impl<const SIZE: usize> GlobalAlloc for Arena<SIZE> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let start = self.next(layout.align());
        if self.take(start, layout.size()) {
            // SAFETY: `take` found that the block ends inside the arena.
            unsafe { self.base().add(start) }
        } else {
            // SAFETY: the caller's promise on `layout`.
            unsafe { System.alloc(layout) }
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match self.offset(block) {
            Some(start) if start + layout.size() == self.used.get() => self.used.set(start),
            Some(_) => {}
            // SAFETY: not the arena's, so libc handed it out, with this layout.
            None => unsafe { System.dealloc(block, layout) },
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let Some(start) = self.offset(block) else {
            // SAFETY: not the arena's, so libc handed it out, with this layout.
            return unsafe { System.realloc(block, layout, size) };
        };
        let topmost = start + layout.size() == self.used.get();
        if size <= layout.size() && !topmost || topmost && self.take(start, size) {
            return block;
        }
        // SAFETY: the caller promised that `size` is valid for this alignment; the new block does
        // not overlap the old one, which holds at least the bytes copied.
        unsafe {
            let moved = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !moved.is_null() {
                ptr::copy_nonoverlapping(block, moved, layout.size().min(size));
                self.dealloc(block, layout);
            }
            moved
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block that is in use, and the byte it is filled with.
    struct Block {
        start: *mut u8,
        layout: Layout,
        fill: u8,
    }

    impl Block {
        fn bytes(&mut self) -> &mut [u8] {
            // SAFETY: the allocator handed out this many bytes, and the caller filled them.
            unsafe { std::slice::from_raw_parts_mut(self.start, self.layout.size()) }
        }
    }

    /// A small generator (Knuth's MMIX constants): the same sequence in every run.
    fn next(state: &mut u64, below: usize) -> usize {
        *state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) as usize % below
    }

    fn allocate(arena: &Arena<4096>, state: &mut u64, fill: u8) -> Block {
        let layout = Layout::from_size_align(1 + next(state, 600), 1 << next(state, 5));
        let layout = layout.expect("a small power of two");
        // SAFETY: the size is not zero.
        let start = unsafe { arena.alloc(layout) };
        assert!(!start.is_null() && start.addr().is_multiple_of(layout.align()));
        let mut block = Block { start, layout, fill };
        // SAFETY: `alloc` handed out this many bytes.
        unsafe { ptr::write_bytes(start, fill, layout.size()) };
        assert_eq!(block.bytes().len(), layout.size());
        block
    }

    fn resize(arena: &Arena<4096>, block: &mut Block, size: usize) {
        let kept = size.min(block.layout.size());
        // SAFETY: the block is in use with this layout, and `size` is small and not zero.
        block.start = unsafe { arena.realloc(block.start, block.layout, size) };
        block.layout = Layout::from_size_align(size, block.layout.align()).expect("a small size");
        // SAFETY: `realloc` handed out `size` bytes, of which `kept` are filled already.
        unsafe { ptr::write_bytes(block.start.add(kept), block.fill, size - kept) };
    }

    #[test]
    fn blocks_keep_their_bytes_whatever_is_taken_grown_and_freed() {
        let arena = Arena::<4096>::new();
        let (mut state, mut live) = (7, Vec::<Block>::new());
        for step in 0..20_000 {
            match next(&mut state, 3) {
                0 if live.len() < 24 => live.push(allocate(&arena, &mut state, step as u8)),
                1 if !live.is_empty() => {
                    let chosen = next(&mut state, live.len());
                    resize(&arena, &mut live[chosen], 1 + next(&mut state, 900));
                }
                2 if !live.is_empty() => {
                    let block = live.swap_remove(next(&mut state, live.len()));
                    // SAFETY: the block is in use with this layout.
                    unsafe { arena.dealloc(block.start, block.layout) };
                }
                _ => {}
            }
            for block in &mut live {
                let fill = block.fill;
                assert!(block.bytes().iter().all(|&byte| byte == fill), "step {step}");
            }
        }
        for block in live {
            // SAFETY: the block is in use with this layout.
            unsafe { arena.dealloc(block.start, block.layout) };
        }
    }

    #[test]
    fn the_topmost_block_grows_in_place_and_gives_its_room_back() {
        let arena = Arena::<4096>::new();
        let layout = Layout::from_size_align(100, 1).expect("a valid layout");
        // SAFETY: the sizes are not zero, and each block is used with the layout it has.
        unsafe {
            let first = arena.alloc(layout);
            assert_eq!(arena.realloc(first, layout, 4096), first);
            let elsewhere = arena.alloc(layout);
            assert_eq!(arena.offset(elsewhere), None, "the arena is full");
            arena.dealloc(elsewhere, layout);
            arena.dealloc(first, Layout::from_size_align(4096, 1).expect("a valid layout"));
            assert_eq!(arena.alloc(layout), first);
        }
    }
}
