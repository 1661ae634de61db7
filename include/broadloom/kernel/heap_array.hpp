// Arrays whose length is known when they are made: for what a kernel keeps when the stack has not
// enough room. std::unique_ptr and std::vector do the same and more, for a twentieth of a second in
// every compilation.
#ifndef BROADLOOM_KERNEL_HEAP_ARRAY_HPP
#define BROADLOOM_KERNEL_HEAP_ARRAY_HPP

#include <cstddef>
#include <cstdint>

namespace broadloom::kernel {

/// An array on the heap, empty until it is made. Elements start as `new T[size]` leaves them.
template <class T>
class HeapArray {
public:
    HeapArray() = default;
    /// Throws std::bad_alloc.
    explicit HeapArray(std::size_t size) : data_(new T[size]), size_(size) {}
    HeapArray(const HeapArray&) = delete;
    HeapArray& operator=(const HeapArray&) = delete;
    ~HeapArray() { delete[] data_; }

    /// Makes the array anew, and returns its first element. Throws std::bad_alloc.
    T* make(std::size_t size) {
        T* const fresh = new T[size];
        delete[] data_;
        size_ = size;
        return data_ = fresh;
    }
    std::size_t size() const noexcept { return size_; }
    T* data() noexcept { return data_; }
    T* begin() noexcept { return data_; }
    T* end() noexcept { return data_ + size_; }
    const T* begin() const noexcept { return data_; }
    const T* end() const noexcept { return data_ + size_; }
    T& operator[](std::size_t i) noexcept { return data_[i]; }
    const T& operator[](std::size_t i) const noexcept { return data_[i]; }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

/// The first place from `memory` on that is a multiple of 64 bytes.
inline char* aligned(char* memory) noexcept {
    return memory + (64 - reinterpret_cast<std::uintptr_t>(memory) % 64) % 64;
}
/// So many bytes in whole cache lines.
inline constexpr std::ptrdiff_t bytes_in_lines(std::ptrdiff_t bytes) noexcept {
    return (bytes + 63) / 64 * 64;
}

}  // namespace broadloom::kernel

#endif  // BROADLOOM_KERNEL_HEAP_ARRAY_HPP
