#pragma once

#include <string>

namespace framewright {

// From now on the codec libraries print nothing by themselves in this process; errors reach the caller as
// Results. Sets an environment variable, so call it before starting threads.
void silenceLog();

// While one lives, libav's messages of this thread are collected instead of printed: they say why a driver
// or a library refused, which error numbers do not. libav has one log sink per process, so it is put back
// when the last capture ends.
class LogCapture {
 public:
  LogCapture();
  ~LogCapture();
  LogCapture(const LogCapture&) = delete;
  LogCapture& operator=(const LogCapture&) = delete;

  // Errors collected so far, in one line.
  std::string text() const;

 private:
  static void collect(void* source, int level, const char* format, __builtin_va_list arguments);
  std::string text_;
  LogCapture* outer_ = nullptr;
};

}  // namespace framewright
