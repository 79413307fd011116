#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace framewright {

// Generated from schema/error-codes.json at configure time.
enum class ErrorCode {
#define FRAMEWRIGHT_ERROR_CODE(code) code,
#include "error_codes.inc"
#undef FRAMEWRIGHT_ERROR_CODE
};

// The code's name in the error table, e.g. "DECODE_FAILED".
const char* errorCodeName(ErrorCode code);

// An error. `message` may be shown to clients and names the element where known; `detail` is for logs
// (library errors, local paths).
struct Error {
  ErrorCode code = ErrorCode::UNEXPECTED;
  std::string message;
  std::string detail;
};

// A value or an Error. No exceptions are thrown in the engine.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() { return std::get<0>(state_); }
  const T& value() const { return std::get<0>(state_); }
  T take() { return std::move(std::get<0>(state_)); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

// Success or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

}  // namespace framewright

// Returns the error of `expression` (a Status) from the enclosing function, if it failed.
#define FW_RETURN_IF_ERROR(expression)                    \
  do {                                                    \
    if (auto fw_status = (expression); !fw_status.ok()) { \
      return fw_status.error();                           \
    }                                                     \
  } while (false)

#define FW_CONCAT_INNER(a, b) a##b
#define FW_CONCAT(a, b) FW_CONCAT_INNER(a, b)

// Declares `target` from the value of `expression` (a Result), or returns its error.
#define FW_ASSIGN_OR_RETURN(target, expression)        \
  auto FW_CONCAT(fw_result_, __LINE__) = (expression); \
  if (!FW_CONCAT(fw_result_, __LINE__).ok()) {         \
    return FW_CONCAT(fw_result_, __LINE__).error();    \
  }                                                    \
  target = FW_CONCAT(fw_result_, __LINE__).take()
