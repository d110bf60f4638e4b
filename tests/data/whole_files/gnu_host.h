#include <set>
#include <string>

class Sections {
	std::set<std::string> names_;

public:
	const std::set<std::string> &names() const;
};

inline const std::set<std::string> &Sections::names() const
{
	return names_;
}
