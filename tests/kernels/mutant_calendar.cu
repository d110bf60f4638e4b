/*
 * Year, month, date and day of the week of days since 1970. MISTAKE none is sound.
 *
 * no_centuries      a leap year every four years
 * to_zero           divides towards 0
 * weekday_negative  a remainder that is negative
 * centuries_400     no leap year in 400 years
 * first_folded      the day of the week of the first day
 * april             the last of April is the 31st
 * last_day          the last of leap years is the next one
 *
 * Each METHOD is sound:
 *
 * eras              by eras of 400 years
 * steps             by years of 365 days
 */
#ifdef METHOD
#define IS(mistake) 0
#define BY(method) (METHOD == METHOD_##method)
#else
#define IS(mistake) (MISTAKE == MISTAKE_##mistake)
#define BY(method) 0
#endif

static __device__ int floor_by(int a, int b)
{
	return a >= 0 || IS(to_zero) ? a / b : -((b - 1 - a) / b);
}

extern "C" __global__ void mutant_calendar(const int *day, int *year,
	unsigned char *month, unsigned char *date, signed char *weekday, int first,
	int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, z, era, of_era, years, of_year,
	    m, y, w;

	if (i >= n)
		return;
	z = day[i] + 719468;
	if (BY(steps)) {
		int lengths[] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 },
		    at = day[i];

		y = 1970 + floor_by(at, 146097) * 400;
		at -= floor_by(at, 146097) * 146097;
		for (;;) {
			int length = y % 4 == 0 && (y % 100 != 0 || y % 400 == 0) ? 366
										  : 365;

			if (at < length) {
				lengths[1] = length - 337;
				break;
			}
			at -= length;
			y++;
		}
		for (m = 0; at >= lengths[m]; m++)
			at -= lengths[m];
		year[i] = y;
		month[i] = (unsigned char)(m + 1);
		date[i] = (unsigned char)(at + 1);
	} else {
		era = floor_by(z, 146097);
		of_era = z - era * 146097;
		years = IS(no_centuries) ? of_era * 4 / 1461
			: IS(centuries_400)
				? (of_era - of_era / 1460 + of_era / 36524) / 365
				: (of_era - of_era / 1460 + of_era / 36524 -
					  of_era / 146096) /
					  365;
		of_year = of_era - (365 * years + years / 4 -
					   (IS(no_centuries) ? 0 : years / 100));
		m = (5 * of_year + 2) / 153;
		if (IS(last_day) && of_year == 365)
			m = 12;
		y = years + era * 400 + (m >= 10);
		year[i] = y;
		month[i] = (unsigned char)(m < 10 ? m + 3 : m - 9);
		date[i] = (unsigned char)(of_year - (153 * m + 2) / 5 + 1 +
					  (IS(april) && of_year == 60));
	}
	w = (day[i] + (IS(first_folded) ? 4 : first)) % 7;
	weekday[i] = (signed char)(w < 0 && !IS(weekday_negative) ? w + 7 : w);
}

extern "C" __global__ void mutant_calendar_reference(const int *day, int *year,
	unsigned char *month, unsigned char *date, signed char *weekday, int first,
	int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
		i += gridDim.x * blockDim.x) {
		long long at = day[i], y = 1970;
		int m = 0;

		weekday[i] = (signed char)(((at + first) % 7 + 7) % 7);
		while (at < 0) {
			at += 146097;
			y -= 400;
		}
		while (at >= 146097) {
			at -= 146097;
			y += 400;
		}
		for (;; m++) {
			int leap = y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
			int length = m == 1                                  ? 28 + leap
				     : m == 3 || m == 5 || m == 8 || m == 10 ? 30
									     : 31;

			if (m == 12) {
				m = -1;
				y++;
				continue;
			}
			if (at < length)
				break;
			at -= length;
		}
		year[i] = (int)y;
		month[i] = (unsigned char)(m + 1);
		date[i] = (unsigned char)(at + 1);
	}
}
