#include "faults.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <sstream>

namespace substitute {
namespace {

// The engine's sandbox passes only variables with the prefixes of the drivers on.
const char* settingsOf(const std::string& variable) {
  if (const char* const text = std::getenv(variable.c_str())) return text;
  if (variable == "VULKAN_SUBSTITUTE") return std::getenv("VK_SUBSTITUTE");
  return variable == "VAAPI_SUBSTITUTE" ? std::getenv("LIBVA_SUBSTITUTE") : nullptr;
}

std::string textOf(const char* variable, const std::string& name) {
  const char* const text = settingsOf(variable);
  std::istringstream all(text == nullptr ? "" : text);
  for (std::string part; std::getline(all, part, ',');)
    if (part.starts_with(name + "=")) return part.substr(name.size() + 1);
  return "";
}

}  // namespace

int settingOf(const char* variable, const std::string& name, int fallback) {
  const std::string text = textOf(variable, name);
  return text.empty() ? fallback : std::atoi(text.c_str());
}

int faultIn(const char* variable, const char* call) {
  static std::mutex counting;
  static std::string counted;
  static int calls = 0;
  const std::string fault = textOf(variable, "fault");
  char name[64];
  int first = 0, status = 0;
  std::lock_guard lock(counting);
  if (counted != fault) calls = 0;
  counted = fault;
  if (std::sscanf(fault.c_str(), "%63[^:]:%d:%d", name, &first, &status) != 3) return 0;
  return std::strcmp(name, call) == 0 && ++calls >= first ? status : 0;
}

void report(const std::string& what) { std::fprintf(stderr, "substitute driver: %s\n", what.c_str()); }

}  // namespace substitute
