// Bytes in and out. A ByteSource is an open file or a piece of memory, a ByteSink an open file, a
// string or nothing at all; both can keep a checksum. What a file says of its own size is never
// believed: memory grows with the bytes that are there.
#ifndef BROADLOOM_IO_FILE_HPP
#define BROADLOOM_IO_FILE_HPP

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "broadloom/core/error.hpp"

#if defined(_MSC_VER)
// What C has for files is no fault of who includes this.
#pragma warning(push)
#pragma warning(disable : 4996)
#endif

namespace broadloom::detail {

/// Text of unknown origin made fit for a message: quoted, cut at 60 characters, and with `?` for
/// what is not printable ASCII.
inline std::string in_quotes(std::string_view text) {
    std::string out = "'";
    for (const char c : text.substr(0, 60)) out += c >= ' ' && c <= '~' ? c : '?';
    return out + (text.size() > 60 ? "...'" : "'");
}

/// An open file that closes itself.
class File {
public:
    File() = default;
    File(const std::string& path, const char* mode) : file_(std::fopen(path.c_str(), mode)) {
        if (file_ == nullptr) {
            throw io_error(Sentence()
                           << path << ": cannot be opened for "
                           << (*mode == 'r' ? "reading: " : "writing: ") << std::strerror(errno));
        }
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() {
        if (file_ != nullptr) std::fclose(file_);
    }

    std::FILE* get() const noexcept { return file_; }
    /// Goes to a byte of the file; false where it cannot.
    bool seek(std::uint64_t to) const noexcept {
#if defined(_WIN32)
        return _fseeki64(file_, static_cast<long long>(to), SEEK_SET) == 0;
#else
        const off_t place = static_cast<off_t>(to);
        return place >= 0 && static_cast<std::uint64_t>(place) == to &&
               fseeko(file_, place, SEEK_SET) == 0;
#endif
    }
    /// The size of the file, 0 where it is not known: a pipe has no end to seek, and devices say 0.
    std::uint64_t size() const noexcept {
        if (std::fseek(file_, 0, SEEK_END) != 0) return 0;
#if defined(_WIN32)
        const long long end = _ftelli64(file_);
#else
        const off_t end = ftello(file_);
#endif
        std::rewind(file_);
        return end > 0 ? static_cast<std::uint64_t>(end) : 0;
    }
    std::FILE* release() noexcept { return std::exchange(file_, nullptr); }

private:
    std::FILE* file_ = nullptr;
};

using Crc32Table = std::array<std::array<std::uint32_t, 256>, 8>;

/// Row k: what a byte contributes to the checksum when k more bytes follow it in a step.
inline Crc32Table make_crc32_table() {
    Crc32Table t{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xEDB88320u : 0u);
        t[0][i] = crc;
    }
    for (std::size_t k = 1; k < 8; ++k) {
        for (std::size_t i = 0; i < 256; ++i) {
            t[k][i] = t[0][t[k - 1][i] & 255] ^ t[k - 1][i] >> 8;
        }
    }
    return t;
}
/// Made on first use: as a constant it would cost every program a tenth of a second of compiling.
inline const Crc32Table& crc32_table() {
    static const Crc32Table table = make_crc32_table();
    return table;
}

/// The CRC-32 of zip archives (ISO 3309, reflected polynomial EDB88320), eight bytes at a step.
class Crc32 {
public:
    void add(const void* bytes, std::size_t count) {
        const Crc32Table& t = crc32_table();
        const auto* p = static_cast<const unsigned char*>(bytes);
        std::uint32_t crc = ~value_;
        for (; count >= 8; count -= 8, p += 8) {
            crc ^= p[0] | std::uint32_t{p[1]} << 8 | std::uint32_t{p[2]} << 16 |
                   std::uint32_t{p[3]} << 24;
            crc = t[7][crc & 255] ^ t[6][crc >> 8 & 255] ^ t[5][crc >> 16 & 255] ^ t[4][crc >> 24] ^
                  t[3][p[4]] ^ t[2][p[5]] ^ t[1][p[6]] ^ t[0][p[7]];
        }
        for (; count > 0; --count, ++p) crc = t[0][(crc ^ *p) & 255] ^ crc >> 8;
        value_ = ~crc;
    }
    std::uint32_t value() const noexcept { return value_; }

private:
    std::uint32_t value_ = 0;
};

/// Bytes to read, in order: of a file, or of memory that outlives the source.
class ByteSource {
public:
    static constexpr std::uint64_t unknown = ~std::uint64_t{0};

    /// Throws io_error when the file cannot be opened.
    explicit ByteSource(const std::string& path) : file_(path, "rb"), name_(path) {
        if (const std::uint64_t size = file_.size(); size > 0) end_ = size;
    }
    ByteSource(std::string_view memory, std::string name)
        : memory_(memory), name_(std::move(name)), end_(memory.size()) {}

    const std::string& name() const noexcept { return name_; }
    /// How many bytes lie ahead, or `unknown`.
    std::uint64_t left() const noexcept { return end_ == unknown ? unknown : end_ - position_; }
    std::uint32_t crc() const noexcept { return crc_.value(); }

    /// Reads at most `count` bytes and returns how many: fewer only at the end.
    std::size_t read(void* to, std::size_t count) {
        if (count > left()) count = static_cast<std::size_t>(left());
        if (count == 0) return 0;
        if (file_.get() != nullptr) {
            count = std::fread(to, 1, count, file_.get());
            if (std::ferror(file_.get()) != 0) {
                throw io_error(Sentence() << name_ << ": reading failed: " << std::strerror(errno));
            }
        } else {
            std::memcpy(to, memory_.data() + position_, count);
        }
        position_ += count;
        if (summing_) crc_.add(to, count);
        return count;
    }

    /// Reads `count` bytes, or as many as there are; takes memory only as they come.
    std::string read_up_to(std::uint64_t count) {
        constexpr std::size_t first_step = 65536;
        std::string bytes;
        while (bytes.size() < count) {
            const std::size_t old = bytes.size();
            std::uint64_t step = old > first_step ? old : first_step;
            if (step > count - old) step = count - old;
            if (step > left()) step = left();
            if (step == 0) break;
            bytes.resize(old + static_cast<std::size_t>(step));
            const std::size_t got = read(bytes.data() + old, static_cast<std::size_t>(step));
            bytes.resize(old + got);
            if (got < step) break;
        }
        return bytes;
    }

    /// Goes on at `begin`, ends after `count` bytes, is called `name` and starts a checksum. Both
    /// must lie within a source whose size is known.
    void open_section(std::uint64_t begin, std::uint64_t count, std::string name) {
        if (file_.get() != nullptr && !file_.seek(begin)) {
            throw io_error(Sentence() << name << ": seeking failed: " << std::strerror(errno));
        }
        position_ = begin;
        end_ = begin + count;
        name_ = std::move(name);
        crc_ = Crc32{};
        summing_ = true;
    }

private:
    File file_;
    std::string_view memory_;
    std::string name_;
    std::uint64_t position_ = 0;
    std::uint64_t end_ = unknown;
    Crc32 crc_;
    bool summing_ = false;
};

/// Where bytes go: a file, a string, or, with neither, only a count and a checksum.
class ByteSink {
public:
    ByteSink() = default;
    /// Throws io_error when the file cannot be opened.
    explicit ByteSink(const std::string& path) : file_(path, "wb"), name_(path) {}
    explicit ByteSink(std::string& to) : string_(&to) {}

    std::uint64_t count() const noexcept { return count_; }
    std::uint32_t crc() const noexcept { return crc_.value(); }

    void write(const void* bytes, std::size_t size) {
        if (size == 0) return;
        if (file_.get() != nullptr) {
            if (std::fwrite(bytes, 1, size, file_.get()) != size) fail();
        } else if (string_ != nullptr) {
            string_->append(static_cast<const char*>(bytes), size);
        } else {
            crc_.add(bytes, size);
        }
        count_ += size;
    }
    void write(std::string_view bytes) { write(bytes.data(), bytes.size()); }

    /// Closes the file; only then is it sure that all of it was written.
    void close() {
        if (file_.get() != nullptr && std::fclose(file_.release()) != 0) fail();
    }

private:
    [[noreturn]] void fail() const {
        throw io_error(Sentence() << name_ << ": writing failed: " << std::strerror(errno));
    }

    File file_;
    std::string name_;
    std::string* string_ = nullptr;
    std::uint64_t count_ = 0;
    Crc32 crc_;
};

}  // namespace broadloom::detail

#if defined(_MSC_VER)
#pragma warning(pop)
#endif

#endif  // BROADLOOM_IO_FILE_HPP
