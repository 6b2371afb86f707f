// A fact that one kind of filter knows about itself and others do not have.
#pragma once

#include <bloomery/cxx20.hpp>

#include <string>

namespace bloomery {

/// What it is, in a word or two, and its value, for people.
struct fact {
    std::string name;
    std::string value;
};

} // namespace bloomery
