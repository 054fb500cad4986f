#include "graph/model.h"
