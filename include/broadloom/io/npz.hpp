// NumPy's .npz files: zip archives whose members are .npy files, one for each named array. Members
// are read and written as numpy.savez does, uncompressed, and what was read is held against its
// checksum.
#ifndef BROADLOOM_IO_NPZ_HPP
#define BROADLOOM_IO_NPZ_HPP

#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "broadloom/io/npy.hpp"
#include "broadloom/io/zip.hpp"

namespace broadloom {

/// One named array on its way into a .npz file: `{"weights", w}`. It refers to a tensor or view
/// that has a name, and keeps what is temporary.
class NpzMember {
public:
    template <tensor_like X>
    NpzMember(std::string name, X&& x) : name_(std::move(name)) {
        if constexpr (detail::operand_kind<X> == detail::OperandKind::expression) {
            keep(broadloom::eval(std::forward<X>(x)));
        } else if constexpr (std::is_lvalue_reference_v<X>) {
            refer(x);
        } else {
            keep(std::forward<X>(x));
        }
    }

    NpzMember(NpzMember&& other) noexcept
        : name_(std::move(other.name_)),
          type_(other.type_),
          shape_(other.shape_),
          strides_(other.strides_),
          data_(other.data_),
          movers_(other.movers_),
          owned_(std::exchange(other.owned_, nullptr)),
          end_(other.end_) {}
    NpzMember& operator=(const NpzMember&) = delete;
    ~NpzMember() {
        if (owned_ != nullptr) end_(owned_);
    }

    const std::string& name() const noexcept { return name_; }

    /// Writes the member as a .npy file.
    void write(detail::ByteSink& sink) const {
        detail::write_npy(sink, type_, data_, shape_, strides_, *movers_);
    }

private:
    template <class X>
    void keep(X&& x) {
        using Kept = std::remove_cvref_t<X>;
        refer(x);  // refuses what cannot be saved, before there is anything to be ended
        Kept* const kept = new Kept(std::forward<X>(x));
        owned_ = kept;
        end_ = [](void* owned) { delete static_cast<Kept*>(owned); };
        refer(*kept);
    }
    template <class X>
    void refer(const X& x) {
        type_ = detail::npy_type<element_t<X>>();
        detail::require_countable(x.shape(), type_.bytes);
        shape_ = x.shape();
        strides_ = x.strides();
        data_ = x.data();
        movers_ = &kernel::movers_of<sizeof(element_t<X>)>;
    }

    std::string name_;
    detail::NpyType type_{};
    Shape shape_;
    Strides strides_;
    const void* data_ = nullptr;
    const kernel::Movers* movers_ = nullptr;
    void* owned_ = nullptr;  // a temporary, and what ends it
    void (*end_)(void* owned) = nullptr;
};

namespace detail {

/// The name an array was saved under: its member's without `.npy`.
inline std::string_view npz_name(const ZipEntry& entry) {
    const std::string_view name = entry.name;
    return name.ends_with(".npy") ? name.substr(0, name.size() - 4) : name;
}

/// The member an array was saved as. Throws io_error, naming those there are.
inline const ZipEntry& find_npz(const ZipReader& archive, std::string_view name) {
    std::string names;
    for (const ZipEntry& entry : archive.entries()) {
        if (npz_name(entry) == name) return entry;
        if (names.size() < 400) names += (names.empty() ? "" : ", ") + in_quotes(npz_name(entry));
    }
    throw io_error(Sentence() << archive.file() << ": holds no array " << in_quotes(name)
                              << "; there is " << (names.empty() ? "none" : names));
}

/// Reads a member whole. Throws io_error when it is not T's or its checksum is wrong.
template <class T>
Tensor<T> read_npz(ZipReader& archive, const ZipEntry& entry) {
    ByteSource& source =
        archive.open(entry, archive.file() + ", array " + in_quotes(npz_name(entry)));
    Tensor<T> x = detail::read_npy<T>(source);
    if (source.crc() != entry.crc)
        throw io_error(Sentence() << source.name() << ": has a wrong checksum");
    return x;
}

inline void write_npz(ZipWriter archive, ByteSink& sink, const NpzMember* members,
                      std::size_t count) {
    for (const NpzMember* member = members; member != members + count; ++member) {
        // A first pass for the checksum, which stands before the bytes it is of.
        ByteSink measure;
        member->write(measure);
        archive.start(member->name() + ".npy", measure.count(), measure.crc());
        member->write(sink);
    }
    archive.finish();
}

/// Checks the names before the file is touched, then writes it.
inline void save_npz(const std::string& path, const NpzMember* members, std::size_t count) {
    kernel::HeapArray<std::string_view> names(count);
    for (std::size_t i = 0; i < count; ++i) {
        names[i] = members[i].name();
        if (names[i].size() > 65000) {
            throw value_error(Sentence()
                              << "the name of an array is too long: " << in_quotes(names[i]));
        }
    }
    if (const std::string_view* const twice = find_twice(names)) {
        throw value_error(Sentence()
                          << "two arrays of one .npz file are named " << in_quotes(*twice));
    }
    ByteSink sink(path);
    write_npz(ZipWriter(sink), sink, members, count);
    sink.close();
}

}  // namespace detail

/// All arrays of a .npz file with their names, in the order of the file. Throws io_error when the
/// archive is damaged or compressed, or when one of them holds elements other than T.
template <class T>
std::vector<std::pair<std::string, Tensor<T>>> load_npz(const std::string& path) {
    detail::ByteSource source(path);
    detail::ZipReader archive(source);
    std::vector<std::pair<std::string, Tensor<T>>> arrays;
    for (const detail::ZipEntry& entry : archive.entries()) {
        arrays.emplace_back(detail::npz_name(entry), detail::read_npz<T>(archive, entry));
    }
    return arrays;
}

/// The array called `name` of a .npz file, whose other arrays may be of other types. Throws
/// io_error, also when there is none of that name.
template <class T>
Tensor<T> load_npz(const std::string& path, std::string_view name) {
    detail::ByteSource source(path);
    detail::ZipReader archive(source);
    return detail::read_npz<T>(archive, detail::find_npz(archive, name));
}

/// Writes a .npz file of arrays of any types: `save_npz(path, {{"x", x}, {"y", y}})`. Throws
/// io_error, and leaves what was written until then, or value_error when two names are equal.
inline void save_npz(const std::string& path, std::initializer_list<NpzMember> members) {
    detail::save_npz(path, members.begin(), members.size());
}

/// Writes what load_npz gave, or a std::map of tensors by their names.
template <class R>
    requires requires(const R& arrays) {
        NpzMember(std::begin(arrays)->first, std::begin(arrays)->second);
    }
void save_npz(const std::string& path, const R& arrays) {
    std::vector<NpzMember> members;
    for (const auto& [name, x] : arrays) members.emplace_back(name, x);
    detail::save_npz(path, members.data(), members.size());
}

}  // namespace broadloom

#endif  // BROADLOOM_IO_NPZ_HPP
