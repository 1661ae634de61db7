// Zip archives, as far as .npz files need them: members are found through the directory at the end
// and only stored ones are opened. Offsets and sizes are verified, and members may not be larger
// together than the archive, so that a small one cannot ask for large memory.
//
// The format: PKWARE's APPNOTE.TXT, sections 4.3 and 4.5.3 (zip64).
#ifndef BROADLOOM_IO_ZIP_HPP
#define BROADLOOM_IO_ZIP_HPP

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>

#include "broadloom/io/file.hpp"
#include "broadloom/kernel/heap_array.hpp"

namespace broadloom::detail {

inline constexpr std::uint32_t zip_local_header = 0x04034b50;
inline constexpr std::uint32_t zip_directory_entry = 0x02014b50;
inline constexpr std::uint32_t zip_end = 0x06054b50;
inline constexpr std::uint32_t zip64_end = 0x06064b50;
inline constexpr std::uint32_t zip64_locator = 0x07064b50;
inline constexpr std::uint64_t zip_full = 0xFFFFFFFF;  // look in the 64-bit field instead

inline void put_little(std::string& to, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) {
        to += static_cast<char>(static_cast<unsigned char>(value >> 8 * i & 255));
    }
}
inline std::uint64_t get_little(std::string_view from, std::size_t at, int bytes) {
    std::uint64_t value = 0;
    for (int i = bytes; i-- > 0;) {
        value = value << 8 | static_cast<unsigned char>(from[at + static_cast<std::size_t>(i)]);
    }
    return value;
}

/// Sorts names and points at one that is there twice, or nowhere. (std::sort would be most of what
/// this header costs to compile.)
inline const std::string_view* find_twice(kernel::HeapArray<std::string_view>& names) {
    if (names.size() == 0) return nullptr;
    std::qsort(names.data(), names.size(), sizeof names[0], [](const void* a, const void* b) {
        return static_cast<const std::string_view*>(a)->compare(
            *static_cast<const std::string_view*>(b));
    });
    for (std::size_t i = 1; i < names.size(); ++i) {
        if (names[i] == names[i - 1]) return &names[i];
    }
    return nullptr;
}

/// A member of an archive, as its directory has it.
struct ZipEntry {
    std::string name;
    std::uint64_t flags = 0, method = 0, crc = 0;
    std::uint64_t packed = 0, size = 0;
    std::uint64_t offset = 0;  // of the local header
};

/// An archive open for reading.
class ZipReader {
public:
    /// Reads the directory. Throws io_error when there is none or it is not sound.
    explicit ZipReader(ByteSource& source) : source_(source), file_(source.name()) {
        if (source.left() == ByteSource::unknown) fail("it is empty, or its size is not known");
        size_ = source.left();
        read_directory();
    }

    const std::string& file() const noexcept { return file_; }
    const kernel::HeapArray<ZipEntry>& entries() const noexcept { return entries_; }

    /// Places the source at the bytes of a stored member and calls it `name`. Throws io_error for
    /// a compressed or encrypted one.
    ByteSource& open(const ZipEntry& entry, const std::string& name) {
        if ((entry.flags & 1) != 0) throw io_error(Sentence() << name << ": is encrypted");
        if (entry.method != 0) {
            throw io_error(Sentence()
                           << name
                           << ": is compressed; only stored members are read, as numpy.savez "
                              "writes them (numpy.savez_compressed does not)");
        }
        if (entry.packed != entry.size) fail("a stored member has two sizes");
        const std::string local = bytes(entry.offset, 30);
        if (get_little(local, 0, 4) != zip_local_header) fail("a member is not where it should be");
        const std::uint64_t begin =
            entry.offset + 30 + get_little(local, 26, 2) + get_little(local, 28, 2);
        if (begin > size_ || entry.size > size_ - begin) fail("a member reaches past the end");
        source_.open_section(begin, entry.size, name);
        return source_;
    }

private:
    [[noreturn]] void fail(const Sentence& reason) const {
        throw io_error(Sentence() << file_ << ": is not a sound zip archive: " << reason);
    }

    std::string bytes(std::uint64_t begin, std::uint64_t count) {
        if (begin > size_ || count > size_ - begin) fail("something lies past its end");
        source_.open_section(begin, count, file_);
        std::string got = source_.read_up_to(count);
        if (got.size() != count) fail("it ends too early");
        return got;
    }

    void read_directory() {
        // The end record is the last thing but for a comment of at most 65535 bytes.
        constexpr std::size_t record = 22, longest = record + 65535;
        if (size_ < record) fail("it is too short");
        const std::uint64_t begin = size_ > longest ? size_ - longest : 0;
        const std::string tail = bytes(begin, size_ - begin);
        std::size_t at = tail.size() - record;
        while (get_little(tail, at, 4) != zip_end ||
               get_little(tail, at + 20, 2) != tail.size() - at - record) {
            if (at-- == 0) fail("it has no directory");
        }
        std::uint64_t count = get_little(tail, at + 10, 2);
        std::uint64_t length = get_little(tail, at + 12, 4);
        std::uint64_t offset = get_little(tail, at + 16, 4);
        std::uint64_t end = begin + at;
        if (end >= 20 && (count == 0xFFFF || length == zip_full || offset == zip_full)) {
            const std::string locator = bytes(end - 20, 20);
            if (get_little(locator, 0, 4) == zip64_locator) {
                end = get_little(locator, 8, 8);
                const std::string wide = bytes(end, 56);
                if (get_little(wide, 0, 4) != zip64_end) fail("its zip64 record is missing");
                count = get_little(wide, 32, 8);
                length = get_little(wide, 40, 8);
                offset = get_little(wide, 48, 8);
            }
        }
        if (offset > end || length > end - offset) fail("its directory reaches past the end");
        read_entries(bytes(offset, length), count);
        std::uint64_t left = offset;
        kernel::HeapArray<std::string_view> names(entries_.size());
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (entries_[i].packed > left) fail("its members are larger than it is");
            left -= entries_[i].packed;
            names[i] = entries_[i].name;
        }
        const std::string_view* const twice = find_twice(names);
        if (twice != nullptr) fail(Sentence() << "it has two members " << in_quotes(*twice));
    }

    void read_entries(std::string_view directory, std::uint64_t count) {
        constexpr std::size_t fixed = 46;
        if (count > directory.size() / fixed) fail("its directory is damaged");
        entries_.make(static_cast<std::size_t>(count));
        for (ZipEntry& entry : entries_) {
            if (directory.size() < fixed || get_little(directory, 0, 4) != zip_directory_entry) {
                fail("its directory is damaged");
            }
            entry.flags = get_little(directory, 8, 2);
            entry.method = get_little(directory, 10, 2);
            entry.crc = get_little(directory, 16, 4);
            entry.packed = get_little(directory, 20, 4);
            entry.size = get_little(directory, 24, 4);
            entry.offset = get_little(directory, 42, 4);
            const auto name = static_cast<std::size_t>(get_little(directory, 28, 2));
            const auto extra = static_cast<std::size_t>(get_little(directory, 30, 2));
            const auto comment = static_cast<std::size_t>(get_little(directory, 32, 2));
            directory.remove_prefix(fixed);
            if (directory.size() < name + extra + comment) fail("its directory is damaged");
            entry.name = directory.substr(0, name);
            widen(entry, directory.substr(name, extra));
            directory.remove_prefix(name + extra + comment);
        }
    }

    // Takes the 64-bit fields that stand in for full 32-bit ones.
    void widen(ZipEntry& entry, std::string_view extra) const {
        while (extra.size() >= 4) {
            const std::uint64_t tag = get_little(extra, 0, 2);
            const auto length = static_cast<std::size_t>(get_little(extra, 2, 2));
            extra.remove_prefix(4);
            if (length > extra.size()) fail("its directory is damaged");
            std::string_view field = extra.substr(0, length);
            extra.remove_prefix(length);
            if (tag != 1) continue;
            for (std::uint64_t* value : {&entry.size, &entry.packed, &entry.offset}) {
                if (*value != zip_full) continue;
                if (field.size() < 8) fail("its directory is damaged");
                *value = get_little(field, 0, 8);
                field.remove_prefix(8);
            }
            return;
        }
    }

    ByteSource& source_;
    std::string file_;
    std::uint64_t size_ = 0;
    kernel::HeapArray<ZipEntry> entries_;
};

/// Writes an archive of stored members, one after the other. Sizes and offsets from `wide_from` on
/// take their 64-bit form (zip64).
class ZipWriter {
public:
    explicit ZipWriter(ByteSink& sink, std::uint64_t wide_from = zip_full)
        : sink_(sink), wide_from_(wide_from) {}

    /// Starts a member, whose bytes must follow in the sink. A name takes at most 65535 bytes.
    void start(const std::string& name, std::uint64_t size, std::uint32_t crc) {
        const std::uint64_t offset = sink_.count();
        const bool wide = size >= wide_from_ || offset >= wide_from_;
        std::string local;
        put_little(local, zip_local_header, 4);
        put_common(local, name, size, crc, wide ? 20 : 0);
        local += name;
        if (wide) put_wide(local, {size, size});
        sink_.write(local);

        put_little(directory_, zip_directory_entry, 4);
        put_little(directory_, 45, 2);  // made by this version
        put_common(directory_, name, size, crc, wide ? 28 : 0);
        put_little(directory_, 0, 6);  // no comment, the first disk, no attributes
        put_little(directory_, 0, 4);
        put_little(directory_, wide ? zip_full : offset, 4);
        directory_ += name;
        if (wide) put_wide(directory_, {size, size, offset});
        ++count_;
    }

    /// Writes the directory.
    void finish() {
        const std::uint64_t begin = sink_.count();
        const std::uint64_t length = directory_.size();
        const std::uint64_t end = begin + length;
        const bool wide = end >= wide_from_ || count_ >= 0xFFFF;
        if (wide) {
            put_little(directory_, zip64_end, 4);
            put_little(directory_, 44, 8);  // the length of what follows
            put_little(directory_, 45, 2);  // made by and to be read by this version
            put_little(directory_, 45, 2);
            put_little(directory_, 0, 8);  // all on one disk
            put_little(directory_, count_, 8);
            put_little(directory_, count_, 8);
            put_little(directory_, length, 8);
            put_little(directory_, begin, 8);
            put_little(directory_, zip64_locator, 4);
            put_little(directory_, 0, 4);
            put_little(directory_, end, 8);
            put_little(directory_, 1, 4);  // one disk in all
        }
        put_little(directory_, zip_end, 4);
        put_little(directory_, 0, 4);
        put_little(directory_, wide ? 0xFFFF : count_, 2);
        put_little(directory_, wide ? 0xFFFF : count_, 2);
        put_little(directory_, wide ? zip_full : length, 4);
        put_little(directory_, wide ? zip_full : begin, 4);
        put_little(directory_, 0, 2);  // no comment
        sink_.write(directory_);
    }

private:
    static void put_common(std::string& to, std::string_view name, std::uint64_t size,
                           std::uint32_t crc, std::uint64_t extra) {
        bool ascii = true;
        for (const char c : name) ascii = ascii && static_cast<unsigned char>(c) < 128;
        put_little(to, extra > 0 ? 45 : 20, 2);  // the version that reads this
        put_little(to, ascii ? 0 : 2048, 2);     // flag: the name is UTF-8
        put_little(to, 0, 2);                    // stored
        put_little(to, 0x00210000, 4);           // midnight, 1 January 1980
        put_little(to, crc, 4);
        put_little(to, extra > 0 ? zip_full : size, 4);
        put_little(to, extra > 0 ? zip_full : size, 4);
        put_little(to, name.size(), 2);
        put_little(to, extra, 2);
    }
    static void put_wide(std::string& to, std::initializer_list<std::uint64_t> values) {
        put_little(to, 1, 2);
        put_little(to, 8 * values.size(), 2);
        for (const std::uint64_t value : values) put_little(to, value, 8);
    }

    ByteSink& sink_;
    std::uint64_t wide_from_;
    std::string directory_;
    std::uint64_t count_ = 0;
};

}  // namespace broadloom::detail

#endif  // BROADLOOM_IO_ZIP_HPP
