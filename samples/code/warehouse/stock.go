package warehouse

import (
	"fmt"
	"net/http"
	"strings"
)

// Counter counts what is really on the shelves and corrects the shop's numbers.
type Counter struct {
	Base   string
	Client *http.Client
}

// SetStock writes the counted level of a product, whatever the shop believed before.
func (c *Counter) SetStock(productID string, warehouse string, level int) error {
	url := fmt.Sprintf("%s/products/%s/stock", c.Base, productID)
	body := fmt.Sprintf(`{"warehouse": %q, "level": %d}`, warehouse, level)
	request, err := http.NewRequest("PUT", url, strings.NewReader(body))
	if err != nil {
		return err
	}
	_, err = c.Client.Do(request)
	return err
}

// Low lists the products that have to be ordered again: fewer left than a week sells.
func Low(levels map[string]int, weekly map[string]int) []string {
	var low []string
	for product, level := range levels {
		if level < weekly[product] {
			low = append(low, product)
		}
	}
	return low
}
