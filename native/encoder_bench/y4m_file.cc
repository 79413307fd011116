#include "encoder_bench/y4m_file.h"

#include <cerrno>
#include <cstring>
#include <sstream>

#include <sys/stat.h>

namespace framewright {
namespace {

constexpr size_t kLongestHeader = 1024;
constexpr size_t kReadAhead = 1 << 18;
constexpr int kLargestSide = 8192;
constexpr char kFrame[] = "FRAME";

Error unreadable(const std::string& what) { return {ErrorCode::MEDIA_UNREADABLE, what, ""}; }
Error unsupported(const std::string& what) { return {ErrorCode::MEDIA_UNSUPPORTED, what, ""}; }
Error failed(const std::string& what) { return {ErrorCode::IO_FAILED, what, std::strerror(errno)}; }

// 8-bit 4:2:0 with any chroma location.
bool isKnownLayout(const std::string& layout) {
  return layout == "420" || layout == "420jpeg" || layout == "420mpeg2" || layout == "420paldv";
}

Status readField(const std::string& field, Y4mHeader& header) {
  const std::string value = field.substr(1);
  if (field[0] == 'W') header.width = std::atoi(value.c_str());
  if (field[0] == 'H') header.height = std::atoi(value.c_str());
  if (field[0] == 'C' && !isKnownLayout(value))
    return unsupported("Y4M colour space C" + value + " is not supported; 8-bit C420 is");
  if (field[0] == 'I' && value != "p" && value != "?")
    return unsupported("interlaced Y4M files are not supported");
  if (field[0] == 'F') {
    char colon = 0;
    std::istringstream text(value);
    text >> header.fps.num >> colon >> header.fps.den;
    if (!text || colon != ':') header.fps = {0, 1};
  }
  return {};
}

Status check(const Y4mHeader& header) {
  const auto size = std::to_string(header.width) + "x" + std::to_string(header.height);
  if (header.width <= 0 || header.height <= 0 || header.width > kLargestSide || header.height > kLargestSide)
    return unreadable("the Y4M header has an invalid frame size: " + size);
  if (header.width % 2 != 0 || header.height % 2 != 0)
    return unsupported("frames of " + size + " are not supported; encoders want even sides");
  if (header.fps.num <= 0 || header.fps.den <= 0) return unreadable("the Y4M header has no frame rate");
  return {};
}

size_t frameBytes(const Y4mHeader& header) {
  return static_cast<size_t>(header.width) * static_cast<size_t>(header.height) * 3 / 2;
}

}  // namespace

Result<std::unique_ptr<Y4mReader>> Y4mReader::open(const std::string& path) {
  std::unique_ptr<Y4mReader> reader(new Y4mReader());
  reader->file_ = std::fopen(path.c_str(), "rbe");
  if (reader->file_ == nullptr)
    return unreadable(std::string("the file cannot be opened: ") + std::strerror(errno));
  std::setvbuf(reader->file_, nullptr, _IOFBF, kReadAhead);
  FW_RETURN_IF_ERROR(reader->readHeader());
  return reader;
}

Y4mReader::~Y4mReader() {
  if (file_ != nullptr) std::fclose(file_);
}

Status Y4mReader::readHeader() {
  const std::string line = readLine();
  std::istringstream fields(line);
  std::string field;
  fields >> field;
  if (field != "YUV4MPEG2") return unreadable("this is not a Y4M file");
  while (fields >> field) FW_RETURN_IF_ERROR(readField(field, header_));
  FW_RETURN_IF_ERROR(check(header_));
  struct stat status {};
  if (::fstat(::fileno(file_), &status) != 0) return failed("the file's size cannot be found");
  // Frame headers with parameters are longer; the number of frames is then known only after reading.
  const size_t perFrame = sizeof(kFrame) + frameBytes(header_);
  frames_ = (status.st_size - static_cast<int64_t>(line.size()) - 1) / static_cast<int64_t>(perFrame);
  if (frames_ < 1) return unreadable("the Y4M file has no frame");
  return {};
}

std::string Y4mReader::readLine() {
  std::string line;
  for (int letter = std::fgetc(file_); letter != EOF && letter != '\n'; letter = std::fgetc(file_)) {
    if (line.size() >= kLongestHeader) break;
    line += static_cast<char>(letter);
  }
  return line;
}

Result<ImagePtr> Y4mReader::next() {
  const std::string line = readLine();
  if (line.empty()) return ImagePtr();
  if (line.rfind(kFrame, 0) != 0)
    return unreadable("Y4M frame " + std::to_string(read_) + " does not begin with FRAME");
  FW_ASSIGN_OR_RETURN(std::shared_ptr<Image> image,
                      Image::create(PixelFormat::kI420, header_.width, header_.height));
  for (int i = 0; i < image->planeCount(); ++i) {
    const Plane& plane = image->plane(i);
    const auto size = static_cast<size_t>(plane.width);
    for (int y = 0; y < plane.height; ++y) {
      if (std::fread(plane.data + y * plane.stride, 1, size, file_) != size)
        return unreadable("Y4M frame " + std::to_string(read_) + " is truncated");
    }
  }
  ++read_;
  return ImagePtr(std::move(image));
}

Result<std::unique_ptr<Y4mWriter>> Y4mWriter::open(const std::string& path, const Y4mHeader& header) {
  FW_RETURN_IF_ERROR(check(header));
  std::unique_ptr<Y4mWriter> writer(new Y4mWriter());
  writer->file_ = std::fopen(path.c_str(), "wb");
  if (writer->file_ == nullptr) return failed("the Y4M file cannot be written");
  const int written = std::fprintf(writer->file_, "YUV4MPEG2 W%d H%d F%lld:%lld Ip A1:1 C420mpeg2\n",
                                   header.width, header.height, static_cast<long long>(header.fps.num),
                                   static_cast<long long>(header.fps.den));
  if (written < 0) return failed("the Y4M file cannot be written");
  return writer;
}

Y4mWriter::~Y4mWriter() {
  if (file_ != nullptr) std::fclose(file_);
}

Status Y4mWriter::write(const Image& image) {
  if (std::fprintf(file_, "%s\n", kFrame) < 0) return failed("the Y4M file cannot be written");
  for (int i = 0; i < image.planeCount(); ++i) {
    const Plane& plane = image.plane(i);
    for (int y = 0; y < plane.height; ++y) {
      const auto size = static_cast<size_t>(plane.width);
      if (std::fwrite(plane.data + y * plane.stride, 1, size, file_) != size)
        return failed("the Y4M file cannot be written");
    }
  }
  return {};
}

Status Y4mWriter::finish() {
  const int closed = std::fclose(file_);
  file_ = nullptr;
  if (closed != 0) return failed("the Y4M file cannot be written");
  return {};
}

}  // namespace framewright
