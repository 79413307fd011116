#include "addon/arguments.h"

#include <cstring>

namespace framewright {

std::optional<std::string> timelineText(const Napi::CallbackInfo& call, size_t index) {
  if (call.Length() <= index || !call[index].IsTypedArray()) return std::nullopt;
  const auto array = call[index].As<Napi::TypedArray>();
  if (array.TypedArrayType() != napi_uint8_array) return std::nullopt;
  const auto bytes = array.As<Napi::Uint8Array>();
  return std::string(reinterpret_cast<const char*>(bytes.Data()), bytes.ByteLength());
}

bool parseStitchRequest(Napi::Value value, StitchRequest& request) {
  if (!value.IsObject()) return false;
  const auto object = value.As<Napi::Object>();
  const Napi::Value segments = object.Get("segmentPaths"), audio = object.Get("audioPath");
  const Napi::Value output = object.Get("outputPath");
  if (!segments.IsArray() || !output.IsString() || !(audio.IsString() || audio.IsUndefined())) return false;
  const auto list = segments.As<Napi::Array>();
  for (uint32_t i = 0; i < list.Length(); ++i) {
    const Napi::Value path = list.Get(i);
    if (!path.IsString()) return false;
    request.segmentPaths.push_back(path.As<Napi::String>());
  }
  if (audio.IsString()) request.audioPath = audio.As<Napi::String>();
  request.outputPath = output.As<Napi::String>();
  return true;
}

Napi::Object imageToJs(Napi::Env env, const Image& image) {
  const Plane& plane = image.plane(0);
  const size_t rowBytes = static_cast<size_t>(plane.width) * 4;
  auto pixels = Napi::Buffer<uint8_t>::New(env, rowBytes * static_cast<size_t>(plane.height));
  for (int y = 0; y < plane.height; ++y) {
    std::memcpy(pixels.Data() + static_cast<size_t>(y) * rowBytes, plane.data + y * plane.stride, rowBytes);
  }
  Napi::Object object = Napi::Object::New(env);
  object.Set("width", Napi::Number::New(env, image.width()));
  object.Set("height", Napi::Number::New(env, image.height()));
  object.Set("pixels", pixels);
  return object;
}

}  // namespace framewright
