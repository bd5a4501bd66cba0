//! Structures that cross the boundary: how they are read from C and written to it, whichever header C was built with.

use crate::{
    handle::Fault,
    status::{DUEL_BAD_SIZE, DUEL_TOO_NEW},
};

/// No structure is ever longer; a larger `struct_size` is a mistake, and must not be read through.
const SIZE_MAX: usize = 4096;

/// A structure whose first field is `struct_size`.
///
/// # Safety
/// `repr(C)`, `struct_size: u32` first, and every pattern of bits is a value of it.
pub unsafe trait SizedStruct: Copy {
    /// Its size when it was first published: fields are only appended, so it never was smaller.
    const SIZE_MIN: usize;
    /// Its name in C.
    const NAME: &'static str;
}

/// Declares structures as [`SizedStruct`], each with the last field of its first published form.
///
/// That form has no padding at its end, or a field appended later would lie where older hosts have garbage.
macro_rules! sized {
    ($($name:ident to $last:ident;)*) => {$(
        // SAFETY: made of integers, floats, pointers and such structures; `struct_size` is first.
        unsafe impl $crate::sized::SizedStruct for $name {
            const SIZE_MIN: usize = core::mem::offset_of!($name, $last)
                + $crate::sized::field_bytes(|whole: &$name| &whole.$last);
            const NAME: &'static str = stringify!($name);
        }
        const _: () = assert!(core::mem::offset_of!($name, struct_size) == 0);
        const _: () = assert!(
            <$name as $crate::sized::SizedStruct>::SIZE_MIN.is_multiple_of(align_of::<$name>()),
            concat!(stringify!($name), " ends in padding: add a reserved field"),
        );
    )*};
}
pub(crate) use sized;

/// How long the field is that `of` picks.
pub const fn field_bytes<T, F>(_of: fn(&T) -> &F) -> usize {
    size_of::<F>()
}

fn size_of_c<T: SizedStruct>(size: u32) -> Result<usize, Fault> {
    let size = size as usize;
    if size < T::SIZE_MIN {
        return Err(Fault::new(
            DUEL_BAD_SIZE,
            format_args!(
                "{}.struct_size is {size}, less than {}: set it to sizeof({})",
                T::NAME,
                T::SIZE_MIN,
                T::NAME
            ),
        ));
    }
    if size > SIZE_MAX {
        return Err(Fault::new(
            DUEL_TOO_NEW,
            format_args!("{}.struct_size is {size}: no header says that", T::NAME),
        ));
    }
    Ok(size)
}

/// Reads a structure; fields that C's header did not have yet are zero, which means default.
///
/// # Safety
/// `from` is null or points to a structure whose `struct_size` is true.
pub unsafe fn read<T: SizedStruct>(from: *const T) -> Result<T, Fault> {
    if from.is_null() {
        return Err(Fault::null(T::NAME));
    }
    // SAFETY: the caller's promise; `struct_size` is first.
    let size = size_of_c::<T>(unsafe { from.cast::<u32>().read_unaligned() })?;
    let bytes: *const u8 = from.cast();
    for at in size_of::<T>()..size {
        // SAFETY: within C's structure.
        if unsafe { bytes.add(at).read() } != 0 {
            return Err(Fault::new(
                DUEL_TOO_NEW,
                format_args!(
                    "{} uses a field that this library does not know: use the header it came with",
                    T::NAME
                ),
            ));
        }
    }
    // SAFETY: any bits are a value; as many bytes are copied as both structures have.
    unsafe {
        let mut value: T = core::mem::zeroed();
        let known = size.min(size_of::<T>());
        core::ptr::copy_nonoverlapping(bytes, (&raw mut value).cast(), known);
        Ok(value)
    }
}

/// Writes a structure as far as C's header knows it; fields that only C knows become zero. `struct_size` stays C's.
///
/// # Safety
/// `to` is null or points to a writable structure whose `struct_size` is true.
pub unsafe fn write<T: SizedStruct>(to: *mut T, value: &T) -> Result<(), Fault> {
    if to.is_null() {
        return Err(Fault::null(T::NAME));
    }
    // SAFETY: the caller's promise; `struct_size` is first.
    let size = size_of_c::<T>(unsafe { to.cast::<u32>().read_unaligned() })?;
    let (from, to): (*const u8, *mut u8) = ((&raw const *value).cast(), to.cast());
    let known = size.min(size_of::<T>());
    let head = size_of::<u32>();
    // SAFETY: within both structures.
    unsafe {
        core::ptr::copy_nonoverlapping(from.add(head), to.add(head), known - head);
        to.add(known).write_bytes(0, size - known);
    }
    Ok(())
}

/// Checks that a structure can be written, before anything is done whose result would be lost.
///
/// # Safety
/// As [`write`].
pub unsafe fn check_out<T: SizedStruct>(to: *mut T) -> Result<(), Fault> {
    if to.is_null() {
        return Err(Fault::null(T::NAME));
    }
    // SAFETY: the caller's promise; `struct_size` is first.
    size_of_c::<T>(unsafe { to.cast::<u32>().read_unaligned() }).map(|_| ())
}

/// Writes a plain value.
///
/// # Safety
/// `to` is null or points to a writable value.
pub unsafe fn put<T>(to: *mut T, value: T, what: &str) -> Result<(), Fault> {
    if to.is_null() {
        return Err(Fault::null(what));
    }
    // SAFETY: the caller's promise.
    unsafe { to.write(value) };
    Ok(())
}

/// A slice of C's; a null pointer is fine where there is nothing.
///
/// # Safety
/// `from` is null, or points to `count` values that nobody writes meanwhile.
pub unsafe fn slice<'a, T>(from: *const T, count: usize, what: &str) -> Result<&'a [T], Fault> {
    if count == 0 {
        return Ok(&[]);
    }
    check_slice(from, count, what)?;
    // SAFETY: the caller's promise, and the size is legal.
    Ok(unsafe { core::slice::from_raw_parts(from, count) })
}

/// A slice of C's to write into; a null pointer is fine where there is no room.
///
/// # Safety
/// `to` is null, or points to `count` initialised values that nobody else uses meanwhile.
pub unsafe fn slice_mut<'a, T>(to: *mut T, count: usize, what: &str) -> Result<&'a mut [T], Fault> {
    if count == 0 {
        return Ok(&mut []);
    }
    check_slice(to, count, what)?;
    // SAFETY: the caller's promise, and the size is legal.
    Ok(unsafe { core::slice::from_raw_parts_mut(to, count) })
}

fn check_slice<T>(at: *const T, count: usize, what: &str) -> Result<(), Fault> {
    if at.is_null() {
        return Err(Fault::null(what));
    }
    if !at.is_aligned() {
        return Err(Fault::argument(format_args!("{what} is not aligned")));
    }
    if count.saturating_mul(size_of::<T>()) > isize::MAX as usize {
        return Err(Fault::argument(format_args!(
            "{what} cannot hold {count} values"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq)]
    #[repr(C)]
    struct Grown {
        struct_size: u32,
        first: u32,
        appended: u64,
    }
    sized! {
        Grown to first;
    }

    const OLDER: u32 = 8;
    const WHOLE: Grown = Grown {
        struct_size: OLDER,
        first: 5,
        appended: 0xAAAA_AAAA_AAAA_AAAA,
    };

    #[test]
    fn an_older_callers_structure_is_read_as_far_as_it_goes() {
        let from = WHOLE;
        // SAFETY: more is there than `struct_size` says.
        let found = unsafe { read(&raw const from) }.map_err(|fault| fault.status);
        let appended = 0;
        assert_eq!(found, Ok(Grown { appended, ..WHOLE }));
    }

    #[test]
    fn an_older_callers_structure_is_written_as_far_as_it_goes() {
        let mut to = WHOLE;
        let value = Grown {
            struct_size: 0,
            first: 6,
            appended: 7,
        };
        // SAFETY: as above.
        assert!(unsafe { write(&raw mut to, &value) }.is_ok());
        assert_eq!(to, Grown { first: 6, ..WHOLE });
    }

    #[test]
    fn a_structure_shorter_than_it_ever_was_is_refused() {
        let short = Grown {
            struct_size: OLDER - 1,
            ..WHOLE
        };
        // SAFETY: as above.
        let found = unsafe { read(&raw const short) }.map_err(|fault| fault.status);
        assert_eq!(found, Err(DUEL_BAD_SIZE));
    }
}
