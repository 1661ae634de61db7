// The standard library, so that the headers of Broadloom are met behind all of it: what they call
// without a namespace must stay theirs.
#ifndef BROADLOOM_TESTS_SUPPORT_STANDARD_HPP
#define BROADLOOM_TESTS_SUPPORT_STANDARD_HPP

#include <algorithm>
#include <any>
#include <array>
#include <atomic>
#include <bit>
#include <bitset>
#include <charconv>
#include <chrono>
#include <complex>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <iomanip>
#include <iostream>
#include <list>
#include <locale>
#include <map>
#include <mutex>
#include <numbers>
#include <numeric>
#include <optional>
#include <random>
#include <ranges>
#include <regex>
#include <set>
#include <shared_mutex>
#include <span>
#include <sstream>
#include <stack>
#include <string>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <valarray>
#include <variant>
#include <vector>
#include <version>
#ifdef __cpp_lib_format
#include <format>
#endif
#ifdef __cpp_lib_mdspan
#include <mdspan>
#endif

#endif  // BROADLOOM_TESTS_SUPPORT_STANDARD_HPP
