#pragma once

#include <string>

namespace framewright {

// Stops libav and the codec libraries from printing; errors reach the caller as Results. Sets an environment
// variable, so call it before starting threads.
void silenceLog();

// Collects libav's error messages of the current thread during its lifetime: they explain a driver's or a
// library's failure, which error numbers do not. libav has one log callback per process; the default one is
// restored when the last capture ends.
class LogCapture {
 public:
  LogCapture();
  ~LogCapture();
  LogCapture(const LogCapture&) = delete;
  LogCapture& operator=(const LogCapture&) = delete;

  // The errors collected so far, as one line.
  std::string text() const;

 private:
  static void collect(void* source, int level, const char* format, __builtin_va_list arguments);
  std::string text_;
  LogCapture* outer_ = nullptr;
};

}  // namespace framewright
