//! The global allocator. What a usual trial needs comes out of a fixed arena inside the instance's
//! initial memory, so that it never calls `memory.grow`, which would cost the host two `mprotect`
//! calls a trial. What does not fit goes to libc's allocator, which frees and grows as usual.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, UnsafeCell};
use std::mem::MaybeUninit;
use std::ptr;

/// Zeroes that take no room in the component; the host maps a page only when it is touched.
const SIZE: usize = 1 << 20;

/// A stack of blocks: the topmost can grow, shrink and be freed; a block freed under it is reused
/// only when all above it are freed, which wastes at most [`SIZE`].
struct Arena {
    bytes: UnsafeCell<[MaybeUninit<u8>; SIZE]>,
    used: Cell<usize>,
}

// SAFETY: wasm32-wasip2 has no threads, and nothing here is called back while it runs.
unsafe impl Sync for Arena {}

#[global_allocator]
static ARENA: Arena =
    Arena { bytes: UnsafeCell::new([MaybeUninit::uninit(); SIZE]), used: Cell::new(0) };

impl Arena {
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
unsafe impl GlobalAlloc for Arena {
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
