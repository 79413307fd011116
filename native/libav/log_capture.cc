#include "libav/log_capture.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "libav/av.h"

namespace framewright {
namespace {

std::mutex sinkMutex;
int captures = 0;
thread_local LogCapture* current = nullptr;

}  // namespace

void silenceLog() {
  av_log_set_level(AV_LOG_QUIET);
  // SVT-AV1 logs to stderr itself; its level (1: errors) can only be set in the environment.
  ::setenv("SVT_LOG", "1", 0);
}

std::string LogCapture::text() const { return text_.substr(0, text_.find_last_not_of(' ') + 1); }

LogCapture::LogCapture() : outer_(current) {
  current = this;
  std::lock_guard lock(sinkMutex);
  if (captures++ == 0) av_log_set_callback(&LogCapture::collect);
}

LogCapture::~LogCapture() {
  current = outer_;
  std::lock_guard lock(sinkMutex);
  if (--captures == 0) av_log_set_callback(av_log_default_callback);
}

void LogCapture::collect(void* source, int level, const char* format, va_list arguments) {
  if (current == nullptr || level > AV_LOG_ERROR) return;
  char line[512];
  int prefix = 0;
  av_log_format_line2(source, level, format, arguments, line, sizeof(line), &prefix);
  std::string& text = current->text_;
  if (text.size() > 2000) return;
  if (!text.empty() && text.back() != ' ') text += ' ';
  for (const char* c = line; *c != 0; ++c) text += *c == '\n' ? ' ' : *c;
}

}  // namespace framewright
