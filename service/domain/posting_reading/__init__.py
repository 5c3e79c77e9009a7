"""Reading an ad: what is asked, in the ad's own words. Pure."""

from service.domain.posting_reading.read import read_posting

__all__ = ["read_posting"]
