// The exceptions. Each derives from the standard one a C++ user would expect and from the mix-in
// `broadloom::error`, so that `catch (const broadloom::error&)` catches all of them.
#ifndef BROADLOOM_CORE_ERROR_HPP
#define BROADLOOM_CORE_ERROR_HPP

#include <stdexcept>
#include <string>

namespace broadloom {

/// What every exception of the library also is.
class error {
public:
    virtual ~error() = default;
    virtual const char* what() const noexcept = 0;

protected:
    error() = default;
    error(const error&) = default;
    error& operator=(const error&) = default;
};

namespace detail {

template <class Standard>
class Exception : public Standard, public error {
public:
    explicit Exception(const std::string& sentence) : Standard(sentence) {}
    const char* what() const noexcept override { return Standard::what(); }
};

}  // namespace detail

/// Shapes that do not fit together, or that are no shapes.
class shape_error : public detail::Exception<std::invalid_argument> {
    using Exception::Exception;
};

/// A value outside of what an operation is defined for.
class value_error : public detail::Exception<std::invalid_argument> {
    using Exception::Exception;
};

/// An axis or an index out of range, or an axis named twice.
class index_error : public detail::Exception<std::out_of_range> {
    using Exception::Exception;
};

/// A file that cannot be read or written, or does not hold what was asked for.
class io_error : public detail::Exception<std::runtime_error> {
    using Exception::Exception;
};

}  // namespace broadloom

#endif  // BROADLOOM_CORE_ERROR_HPP
