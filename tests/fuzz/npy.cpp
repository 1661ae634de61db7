// Bytes that nobody vouches for, read as a .npy file or a .npz archive: the result is arrays or an
// io_error. What loads is also printed, saved and loaded again, and must be the same array.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "broadloom/io/npz.hpp"
#include "broadloom/io/print.hpp"

namespace bl = broadloom;

namespace {

template <class T>
std::string saved(const bl::Tensor<T>& x) {
    std::string bytes;
    bl::detail::ByteSink sink(bytes);
    bl::NpzMember("", x).write(sink);
    return bytes;
}

template <class T>
void check(const bl::Tensor<T>& x) {
    (void)bl::to_string(x);
    const std::string bytes = saved(x);
    bl::detail::ByteSource source(bytes, "saved");
    if (saved(bl::detail::read_npy<T>(source)) != bytes) std::abort();
}

template <class T>
void read(std::string_view bytes, bool archive) {
    bl::detail::ByteSource source(bytes, "input");
    if (!archive) return check(bl::detail::read_npy<T>(source));
    bl::detail::ZipReader reader(source);
    for (const bl::detail::ZipEntry& entry : reader.entries()) {
        check(bl::detail::read_npz<T>(reader, entry));
    }
}

}  // namespace

// The first byte says what to read the others as.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    const bool archive = (data[0] & 8) != 0;
    try {
        switch (data[0] & 7) {
            case 0: read<bool>(bytes, archive); break;
            case 1: read<std::uint8_t>(bytes, archive); break;
            case 2: read<std::int16_t>(bytes, archive); break;
            case 3: read<std::int32_t>(bytes, archive); break;
            case 4: read<std::uint64_t>(bytes, archive); break;
            case 5: read<float>(bytes, archive); break;
            case 6: read<double>(bytes, archive); break;
            default: read<std::complex<float>>(bytes, archive); break;
        }
    } catch (const bl::io_error&) {
    }
    return 0;
}
