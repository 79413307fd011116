#include "formats/unsupported_format.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

#include "formats/supported_files.h"

namespace framewright {
namespace {

struct Named {
  std::string_view start;
  const char* name;
};

constexpr std::array kStarts{
    Named{"#EXTM3U", "hls"},
    Named{"[playlist]", "pls"},
    Named{"ffconcat version", "concat"},
    Named{";FFMETADATA", "ffmetadata"},
    Named{"v=0\n", "sdp"},
    Named{"v=0\r\n", "sdp"},
    Named{"%PDF-", "pdf"},
    Named{"%!PS", "postscript"},
    Named{"WEBVTT", "webvtt"},
    Named{"[Script Info]", "ass"},
    Named{"# VobSub index file", "vobsub"},
    Named{"push graphic-context", "mvg"},
};

constexpr std::array kRootElements{
    Named{"svg", "svg"},  Named{"svg:svg", "svg"},   Named{"html", "html"},
    Named{"MPD", "dash"}, Named{"playlist", "xspf"}, Named{"asx", "asx"},
    Named{"ASX", "asx"},  Named{"smil", "smil"},     Named{"CompositionPlaylist", "imf"},
};

std::string_view skipSpace(std::string_view text) {
  const auto start = std::find_if(text.begin(), text.end(), [](unsigned char c) { return !std::isspace(c); });
  return text.substr(static_cast<size_t>(start - text.begin()));
}

std::string_view after(std::string_view text, std::string_view mark) {
  const size_t at = text.find(mark);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + mark.size());
}

// Name of the document's root element; skips XML declarations and comments. A DOCTYPE names it too.
std::string_view rootElement(std::string_view text) {
  while (text.starts_with("<?") || text.starts_with("<!--")) {
    text = skipSpace(after(text, text.starts_with("<?") ? "?>" : "-->"));
  }
  constexpr std::string_view kType = "<!DOCTYPE";
  constexpr std::string_view kTypeLower = "<!doctype";
  const bool typed = text.starts_with(kType) || text.starts_with(kTypeLower);
  if (!typed && !text.starts_with("<")) return {};
  text = typed ? skipSpace(text.substr(kType.size())) : text.substr(1);
  const auto end = std::find_if(text.begin(), text.end(), [](unsigned char c) {
    return !std::isalnum(c) && c != ':' && c != '_' && c != '-';
  });
  return text.substr(0, static_cast<size_t>(end - text.begin()));
}

const char* xmlName(std::string_view text) {
  const std::string_view root = rootElement(text);
  for (const Named& known : kRootElements) {
    if (root == known.start) return known.name;
  }
  const bool isXml = text.starts_with("<?xml") || text.starts_with("<!DOCTYPE");
  return isXml ? "xml" : nullptr;
}

// "1\n00:00:01,000 --> 00:00:02,000"
bool isSubRip(std::string_view text) {
  const auto digits =
      std::find_if(text.begin(), text.end(), [](unsigned char c) { return !std::isdigit(c); });
  const auto count = static_cast<size_t>(digits - text.begin());
  if (count == 0 || count > 9) return false;
  const std::string_view times = skipSpace(text.substr(count));
  constexpr std::string_view kShape = "00:00:00,000 --> ";
  if (times.size() < kShape.size()) return false;
  for (size_t i = 0; i < kShape.size(); ++i) {
    const bool fits = kShape[i] == '0' ? std::isdigit(static_cast<unsigned char>(times[i])) != 0
                                       : times[i] == kShape[i] || (kShape[i] == ',' && times[i] == '.');
    if (!fits) return false;
  }
  return true;
}

}  // namespace

const char* sniffForeignText(std::span<const uint8_t> bytes) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  text = skipSpace(text);
  for (const Named& known : kStarts) {
    if (text.starts_with(known.start)) return known.name;
  }
  if (text.starts_with("<")) return xmlName(text);
  return isSubRip(text) ? "srt" : nullptr;
}

Status rejectForeignText(std::span<const uint8_t> bytes) {
  const char* name = sniffForeignText(bytes);
  if (name == nullptr) return {};
  return Error{ErrorCode::MEDIA_UNSUPPORTED,
               std::string("the format ") + name + " is not supported; allowed: " + kSupportedFiles, ""};
}

}  // namespace framewright
