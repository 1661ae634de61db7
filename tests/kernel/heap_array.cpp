// Arrays that own their memory and start as `new` leaves their elements.
#include "broadloom/kernel/heap_array.hpp"

#include <cstdint>
#include <string>

#include "support/catch.hpp"

using broadloom::kernel::HeapArray;

TEST_CASE("An array is empty until it is made, and can be made again") {
    HeapArray<std::string> words;
    CHECK(words.size() == 0);
    CHECK(words.begin() == words.end());
    words.make(3)[1] = "a word longer than what a string keeps in place";
    CHECK(words.size() == 3);
    CHECK(words[0].empty());
    CHECK(words[1] == "a word longer than what a string keeps in place");
    const std::string* const again = words.make(2);
    CHECK(again == words.data());
    CHECK(words[1].empty());
    std::size_t seen = 0;
    for (const std::string& word : words) seen += word.empty() ? 1U : 0U;
    CHECK(seen == 2);
}

TEST_CASE("An array of no elements is one") {
    const HeapArray<int> none(0);
    CHECK(none.size() == 0);
    CHECK(none.begin() == none.end());
}

TEST_CASE("Memory is aligned upwards, by less than a line of 64 bytes") {
    alignas(64) char memory[128];
    for (int i = 0; i <= 64; ++i) {
        char* const place = broadloom::kernel::aligned(memory + i);
        CHECK(reinterpret_cast<std::uintptr_t>(place) % 64 == 0);
        CHECK((place - memory >= i && place - memory < i + 64));
    }
}

TEST_CASE("Bytes fill whole lines of 64") {
    using broadloom::kernel::bytes_in_lines;
    CHECK(bytes_in_lines(0) == 0);
    CHECK(bytes_in_lines(1) == 64);
    CHECK(bytes_in_lines(64) == 64);
    CHECK(bytes_in_lines(65) == 128);
}
