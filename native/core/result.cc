#include "core/result.h"

namespace framewright {

const char* errorCodeName(ErrorCode code) {
  switch (code) {
#define FRAMEWRIGHT_ERROR_CODE(name) \
  case ErrorCode::name:              \
    return #name;
#include "error_codes.inc"
#undef FRAMEWRIGHT_ERROR_CODE
  }
  return "UNEXPECTED";
}

}  // namespace framewright
