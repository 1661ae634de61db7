// Settings of the library as they are when a program starts.
#ifndef BROADLOOM_TESTS_SUPPORT_SETTINGS_HPP
#define BROADLOOM_TESTS_SUPPORT_SETTINGS_HPP

#include "broadloom/kernel/dispatch.hpp"
#include "broadloom/kernel/parallel.hpp"
#include "broadloom/kernel/elementwise/streaming.hpp"

namespace settings {

/// Brings back the best instruction set and one thread at the end of a test.
struct Restore {
    ~Restore() {
        broadloom::kernel::set_isa(2);
        broadloom::set_num_threads(1);
    }
};

/// Streams as some processor does until the end of a test.
class Streams {
public:
    explicit Streams(const broadloom::kernel::detail::Streaming& policy) {
        broadloom::kernel::detail::streaming_policy.store(&policy);
    }
    Streams(const Streams&) = delete;
    Streams& operator=(const Streams&) = delete;
    ~Streams() { broadloom::kernel::detail::streaming_policy.store(nullptr); }

    /// False at the baseline, where nothing is streamed whatever the policy.
    static bool has_policies() { return broadloom::kernel::isa() > 0; }
};

}  // namespace settings

#endif  // BROADLOOM_TESTS_SUPPORT_SETTINGS_HPP
